"""The index of mentions: which sentence of the corpus names whom, and which facts have both ends in one.

Input: the names of the ends of facts, and a corpus. Output: `pair_wants.arrow`, the sentences to search for
each fact besides the pages of its ends.

- `word_keys`: a name as one number, made of its words; finds known ones in all texts of a block at once.
- `name_keys`: the keys of names, values and links; `places`: where the corpus has them.
- `homonyms`: what a name with several bearers means on a page.
- `together`: the sentences that name both ends of a fact, and the most promising of them.
"""
