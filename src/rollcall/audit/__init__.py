"""Audit: what is known about a question set besides its questions."""
