"""Evidence for what lists state: that an entity is on a list, and what its row says.

Input: `list_facts`, and `related` with its evidence. Output: the table `evidence`.

- `find` runs all steps; if a list or column stands for a relation of the graph, the evidence of that relation
  counts.
- `columns` scores sentences that name what a column says, by the words of the column's heading.
- `membership` searches the entry's page for the words of a list's name.
"""
