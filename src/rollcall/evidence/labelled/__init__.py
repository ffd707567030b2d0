"""Sentences whose truth is known: labelled triples, figures at each threshold, and a world's truth."""
