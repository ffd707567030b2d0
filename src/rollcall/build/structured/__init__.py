"""The stages of the pipeline for queries of a given structure: templates, clusters and set operations.

`listing` lists the stages. `mining` writes `queries`, `answers`, `proofs` and `facts`, and then `evidence`;
`wording` writes `worded`; `assembling` writes `questions.jsonl`.
"""
