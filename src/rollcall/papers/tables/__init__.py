"""The papers' result tables, with systems that are trained here, beside the papers' own figures.

- `declared`: which rows each table has, what is trained for them, what is asked, and how large everything is.
- `data` prepares sets and examples, and packs what is carried between machines; `learning` trains and asks
  where a GPU is; `scoring` scores and writes the tables.
- `graphquestions`: the tables of systems that answer from a graph. `retrieval`: recall of retrievers.

`published.json` has the papers' figures. `benchmarks/systems_tables.py`, `graphquestions_tables.py` and
`qampari_table3.py` run everything.
"""
