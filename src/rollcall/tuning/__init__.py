"""Tuning: a page on which a person changes the limits and the words of a set and sees its questions at once.

- `files`: changes single values of YAML files, and leaves everything else in them as it is.
- `preview`: the questions that a recipe gives, from what is mined and proved already.
- `session`: the recipe and the lexicon that a person works on, what is built in the background, saving.
- `web`: the page and its server.
"""
