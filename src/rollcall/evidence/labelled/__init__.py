"""Sentences whose truth is known: labelled triples, figures at each threshold, and the truth of a world."""
