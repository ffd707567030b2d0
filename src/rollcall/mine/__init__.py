"""Mining: finds queries that are worth asking in a graph or in list pages.

Input: the tables of a graph folder, and for list pages those of a corpus folder. Output: a folder of Parquet
tables. `queries` has one row for each query. `proofs` has one row for each fact that an answer needs. `facts`
has each of these facts once; evidence is then searched for them. `layout` and `query_rows` declare the
columns.

- `kinds`: the kinds of questions, one class for each; the other modules find their queries.
- Queries from joins over the whole graph: `simple` (with `typed` and `vague`), `intersection` (with `pairs`
  and `three_way`) and `composition`.
- Queries from random attempts: `templates`, `clusters` and `set_operations`.
- Queries from the tables of list pages: `lists`.
"""
