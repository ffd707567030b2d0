"""Names in text: the only code that finds mentions of entities.

- `forms`: which written forms of a name count, and which names are too vague to search for.
- `matcher`: where the forms are in a text; `neighbours`: whether a place is part of another name.
- `topic`: where a page names its own topic.
- `of_ends`: all names of the ends of facts; `common_nouns`: further ones, in lower case; `relation_names` and
  `derived_words`: those that count for the objects of one relation.
"""
