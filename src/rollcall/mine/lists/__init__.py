"""Questions from lists of things: pages such as "List of museums in Ostrell".

- `cells` reads the tables of list pages, `key_column` finds the column of the things listed, `columns` reads
  what each other column says, `pages` what a list is about, and `words` the words of its name.
- `relations` finds which relation of the graph a column holds, `queries` makes conditions of columns, and
  `mine` goes the whole way.
"""
