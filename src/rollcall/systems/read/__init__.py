"""Readers: from a question and its passages to answers."""
