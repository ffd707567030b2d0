"""Function words by kind, and the words that say too little to go by alone.

What counts as empty depends on the question at hand, so each rule composes its own set of these kinds and
adds what only it needs; no rule writes the words out again.
"""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ARTICLES = _words("a an the")
PREPOSITIONS = _words("of in on at by for from with to as")
"""The commonest ones, which most names and labels hold."""
FURTHER_PREPOSITIONS = _words("after before during into over under")
CONJUNCTIONS = _words("and or but")
PRONOUNS = _words("it its he she they his her their him them")
DEMONSTRATIVES = _words("that this these those")
RELATIVES = _words("which who whom whose where")
QUESTION_WORDS = RELATIVES | _words("what when")
FINITE_BE = _words("is was are were")
AUXILIARIES = FINITE_BE | _words("had has have did does do can could will")
COMMON = (
    ARTICLES
    | PREPOSITIONS
    | FURTHER_PREPOSITIONS
    | CONJUNCTIONS
    | PRONOUNS
    | DEMONSTRATIVES
    | QUESTION_WORDS
    | AUXILIARIES
    | _words("be been would not also one two first last new name all some both")
)
"""Words that say too little to go by, alone."""
