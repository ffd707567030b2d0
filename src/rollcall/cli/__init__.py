"""The command line: one short file per command, each a thin skin over a Python function."""
