"""The papers' result tables, from systems that are trained here: `benchmarks/systems_tables.py` runs it.

`prepare` makes sets and examples, `learn` trains and predicts where a GPU is, `show` scores and prints.
"""
