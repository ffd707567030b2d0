"""Which of several wordings of one question people would use: a score from rules, the same every time.

`clumsiness` adds what each rule costs (`RULES`) and a little for each word and for each content word that is
said twice. `most_natural_first` orders wordings by it. The order in which they were made stays unless another
wording is clearly better, so that small differences in length decide nothing. `benchmarks/bench_wording.py`
compares the choice with the words of people.
"""

import re
from collections import Counter
from collections.abc import Sequence

from rollcall.text.words import COMMON, base_form

RULES: tuple[tuple[str, float, str], ...] = (
    (r"\b(?:has|have|had) [^,]+? as (?:its|their) ", 2.0, "has A as its section"),
    (r"\b(?:has|have|had) [^,]+? among (?:its|their) ", 2.0, "has A among its tools"),
    (r"\b(?:has|have|had) [^,]+? as an? ", 0.5, "has A as a symptom"),
    (r"“[^”]*” (?:value|date|entry|entries)", 4.0, "has a “pos” value of 3"),
    (r"\b(?:listed with|under “)", 4.0, "is listed with A under “via”"),
    (r"\b(?:some|any)(?:thing|one) (?:that|who) ", 1.5, "depends on something that A depends on"),
    (r"\bthings that ", 1.5, "are things that A depends on"),
    (r"\b(?:is it|are they) that ", 1.0, "what is it that A is based on"),
)
"""Patterns of wordings that people avoid, what each costs, and an example."""
_WORD = 0.05
_AGAIN = 0.4
_CLEARLY = 0.45
"""How much less clumsy a wording must be to come before one that was made earlier."""


def clumsiness(question: str) -> float:
    """How far a question is from what people would say; 0 is best."""
    text = question[:1].lower() + question[1:]
    cost = sum(weight * len(re.findall(pattern, text)) for pattern, weight, _example in RULES)
    words = re.findall(r"[^\W\d_]+", text.lower())
    content = Counter(base_form(word) for word in words if word not in COMMON)
    again = sum(times - 1 for times in content.values())
    return cost + _WORD * len(words) + _AGAIN * again


def most_natural_first(questions: Sequence[str]) -> list[str]:
    """Some wordings of one question, with the least clumsy one first; the others stay in their order."""
    if not questions:
        return []
    best, cost = 0, clumsiness(questions[0])
    for position, question in enumerate(questions[1:], 1):
        if (other := clumsiness(question)) <= cost - _CLEARLY:
            best, cost = position, other
    return [questions[best], *questions[:best], *questions[best + 1 :]]
