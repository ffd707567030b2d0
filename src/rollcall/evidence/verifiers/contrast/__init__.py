"""The default verifier, learned from the user's own graph and corpus.

- `sample` draws facts, `lessons` are their sentences, `masking` and `features` what is seen of a sentence.
- `fit` learns one relation, `shared` what all have in common, `rivals` what a sentence may state instead.
- `cues` are the words of the lexicon that hint at a relation; `verifier` puts it all together.
"""
