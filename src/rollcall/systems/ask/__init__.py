"""Asking a graph in English: the names in a question, queries grown from them, and their ranking."""
