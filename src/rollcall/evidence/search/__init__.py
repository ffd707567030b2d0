"""The search: from facts to candidate sentences.

Input: `facts`, and the tables of a graph and a corpus. Output: files of candidates (`evidence.candidate`).

- `wants`: what each page is searched for, as a table sorted by page.
- `blocks`: a few pages at a time with their sentences and links; `texts`: these as texts with places.
- `page`: the search of one page for facts about its topic; `columns`: its results as a table of candidates.
- `sentence` and `pair_columns`: the same for sentences on pages of neither end.
- `links`: what the links of a page say about the names in its text.
- `run`: all steps, in worker processes.
"""
