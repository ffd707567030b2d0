"""Retrievers: from a question's wording to ranked passages of a corpus."""
