"""SEMPRE, PARASEMPRE and JACANA, with which GraphQuestions was published: they answer from a graph alone.

All three are trained on questions and answers, without the queries (`learning`), and count which words go
with which relations (`alignment`). `sempre` parses a question with a grammar, `parasempre` ranks candidate
queries by their wording, and `jacana` picks answers around a name.
"""
