"""Names in text: the one way in which mentions of entities are found.

- `forms`: in which written forms a name counts, and which names are too vague to be looked for.
- `matcher`: where a text has them; `neighbours`: whether what stands there is part of another name.
- `topic`: where a page names its own topic.
- `common_nouns` and `demonyms`: further names, of common nouns and of countries.
"""
