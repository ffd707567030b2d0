"""The command line: one short file for each command, which calls a Python function."""
