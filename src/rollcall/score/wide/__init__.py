"""Comparing tables as WideSearch does: row by row and cell by cell."""
