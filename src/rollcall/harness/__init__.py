"""What other harnesses call: Rollcall's tasks and scorers inside inspect_ai and lm-evaluation-harness.

These modules are imported by the harnesses, never by Rollcall itself, and need them installed.
"""
