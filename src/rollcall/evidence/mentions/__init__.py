"""The index of mentions: which sentence of the corpus names whom, and which facts have both ends in one.

Input: the names of the ends of facts, and a corpus. Output: `pair_wants.arrow`, the sentences to search for
each fact besides the pages of its ends.

- `places`: names and values as keys, where the corpus has them, and the sentences that name both ends of a
  fact.
- `homonyms`: what a name with several bearers means on a page, and keys: a name as one number.
"""
