"""Generators wider than the code: random queries, files and predictions that try to break it.

A target draws a case from a random number generator and checks it. A case is plain JSON, so that what was
found is kept in `tests/data/found/TARGET` and checked ever after. `make test` runs a bounded share of every
target (`tests/whole_way/test_fuzzing.py`); `make fuzz MINUTES=60` runs them for as long as asked.
"""
