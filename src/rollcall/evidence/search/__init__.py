"""The search: from facts to candidate sentences.

Input: `facts`, and the tables of a graph and a corpus. Output: files of candidates (`evidence.candidate`).

- `page`: what each page is searched for, pages read in blocks, and the search of a page or a sentence.
- `run`: all steps, in worker processes, and the results as a table of candidates.
"""
