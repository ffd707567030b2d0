"""Evidence of what lists state: that an entity is on a list, and what its row says.

- `find` goes the whole way; where a list or column stands for a relation of the graph, the evidence of that
  relation counts.
- `columns` judges sentences that name what a column says, by the words of the column's heading.
- `membership` looks for the words of a list's name on the entry's page.
- `word_families` tells which words of a text are those of a name, in another form.
"""
