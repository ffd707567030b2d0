"""Verifiers: how sure it is that a sentence states a fact.

`verifier` says what one is and makes it by name; `contrast` learns from the user's graph and corpus, `nli` is
any entailment model, `language_model` asks a server. `hypothesis` says a fact in words, by the lexicon of the
build.
"""
