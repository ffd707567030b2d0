"""Mining: finds queries that are worth asking in a graph or in list pages.

Input: the tables of a graph folder, and for list pages those of a corpus folder. Output: a folder of Parquet
tables. `queries` has one row for each query. `proofs` has one row for each fact that an answer needs. `facts`
has each of these facts once; evidence is then searched for them. `rollcall.tables.build` declares the
columns.

- Kinds from joins over the whole graph: `simple`, `intersection` and `composition`. `joins` has what they
  share.
- Kinds from random attempts: `templates`, `clusters` and `set_operations`. `attempts` has what they share,
  `neighbourhood` the facts of each entity, `commonness` how likely a query is to be asked.
- Kinds from the tables of list pages: `lists`.
- `kinds`: the base class of all kinds, and their registry.
- `relations`: which relations and classes are worth asking about. `proving`: the facts that prove answers.
"""
