"""The search: from facts to candidate sentences.

- `wants`: what each page is searched for, as a table sorted by page.
- `blocks`: some pages at a time with their sentences and links; `texts`: these as texts with places.
- `page`: the search of one page; `columns`: what was found, as a table of candidates.
- `run`: all blocks, in worker processes.
"""
