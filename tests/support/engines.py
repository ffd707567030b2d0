"""Engines for tests."""

from rollcall.tables.engines.duckdb import DuckDB

ENGINE = DuckDB(jobs=1)
"""For tests that need an engine, whichever it is; it holds nothing that must be closed."""
