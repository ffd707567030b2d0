"""Function words by kind, and words that carry too little meaning when they are alone.

Which words carry no meaning depends on the task, so each rule combines the kinds it needs and adds its own
words. No rule lists these words again.
"""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ARTICLES = _words("a an the")
PREPOSITIONS = _words("of in on at by for from with to as")
"""The most common prepositions, which occur in most names and labels."""
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
"""Words that carry too little meaning when they are alone."""
