"""Questions from list pages, such as "List of museums in Ostrell".

Input: the tables of list pages in a corpus, and a graph. Output: `queries` and `proofs`, `list_facts` (what
the lists state), `related` (the same as facts of the graph), and `table_facts` and `table_values` (tables for
a graph).

- `cells` reads the tables of list pages. `key_column` finds the column of the listed things. `columns` reads
  what each other column says. `pages` puts the tables of a page together. `words` reads the words of a list's
  name.
- `relations` finds the relation of the graph that a column stands for. `queries` makes conditions from
  columns. `mine` runs all steps. `varied` draws from what is proved.
"""
