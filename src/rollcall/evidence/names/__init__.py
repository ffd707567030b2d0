"""Names in text: the only code that finds mentions of entities.

- `matcher`: which written forms of a name count, where they are in a text, and whether a match is only part
  of another name.
- `of_ends`: all names of the ends of facts, those that count for one relation only, and where a page names
  its own topic.
- `common_nouns`: names that text writes in lower case.
"""
