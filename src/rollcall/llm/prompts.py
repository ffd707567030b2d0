"""Reads a list of answers from a model's reply: JSON, also inside other text, or else plain lines.

Answers are whole JSON strings, so that no separator inside a name ("Paris, Texas") can cut it. A reply from
which no list can be read gives None, which is not the same as an empty list.
"""

import json
import math
import re
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

from rollcall.llm.server import Reply

FENCE = re.compile(r"```[\w-]*[ \t]*\n?(.*?)(?:```|\Z)", re.DOTALL)
"""What a reply puts into a block of code."""
_BULLET = re.compile(r"\s*(?:[-*•–]|\(?\d{1,3}[.):])\s+(.+?)\s*$")
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_OPENING = re.compile(r'\[\s*"')
TRAILING_COMMA = re.compile(r",(\s*[\]}])")
"""A comma that JSON does not allow, and the bracket behind it."""
_NONE = re.compile(r"\W*(none|nothing|no answers?|n/?a|unknown)\W*", re.IGNORECASE)
_MOST_OPENINGS = 100
"""The most brackets at which a list is looked for: each is tried, and a reply may consist of brackets."""
_LIST_KEYS = ("answers", "answer", "list", "entities", "results")
_NAME_KEYS = ("answer", "name", "label", "text", "entity", "title")


def parse_list(text: str) -> list[str] | None:
    """The answers in a reply, in order and each once; None if it contains no list."""
    for part in (*FENCE.findall(text), text):
        answers = _json_list(part)
        if answers is not None:
            return _each_once(answers)
    bullets = [match[1] for line in text.splitlines() if (match := _BULLET.fullmatch(line))]
    if bullets:
        return _each_once([_unquoted(bullet) for bullet in bullets])
    return [] if _NONE.fullmatch(text) else None


def _json_list(text: str) -> list[str] | None:
    """The first JSON list in a text, by itself or under a key of an object."""
    decoder = json.JSONDecoder(strict=False)
    plain = text
    for _ in range(2):
        for start in (match.start() for match in islice(re.finditer(r"[\[{]", plain), _MOST_OPENINGS)):
            try:
                value, _end = decoder.raw_decode(plain, start)
            except (ValueError, RecursionError):
                broken_off = _cut_off(plain[start:])
                if broken_off is not None:
                    return broken_off
                continue
            names = _names(value)
            if names is not None:
                return names
        plain = TRAILING_COMMA.sub(r"\1", plain)
    return None


def _names(value: Any) -> list[str] | None:
    """The names in a decoded value; None if it is not a list of names."""
    if isinstance(value, dict):
        for key in _LIST_KEYS:
            if isinstance(value.get(key), list):
                return _names(value[key])
        return None
    if not isinstance(value, list):
        return None
    names = [_name(item) for item in value]
    return None if names and not any(names) else [name for name in names if name]


def _name(item: Any) -> str | None:
    if isinstance(item, dict):
        item = next((item[key] for key in _NAME_KEYS if isinstance(item.get(key), str)), None)
    if isinstance(item, bool) or not isinstance(item, str | int | float):
        return None
    return str(item)


def _cut_off(text: str) -> list[str] | None:
    """The complete strings of a truncated list, such as one cut at the token limit."""
    if not _OPENING.match(text) or "]" in _STRING.sub("", text):
        return None
    return [json.loads(string, strict=False) for string in _STRING.findall(text) if _valid(string)]


def _valid(quoted: str) -> bool:
    try:
        json.loads(quoted, strict=False)
    except ValueError:
        return False
    return True


def _unquoted(text: str) -> str:
    quotes = ('""', "''", "“”", "‘’", "**", "``")
    while len(text) > 1 and any(text[0] == pair[0] and text[-1] == pair[1] for pair in quotes):
        text = text[1:-1]
    return text.strip()


def _each_once(names: list[str]) -> list[str]:
    return list(dict.fromkeys(name.strip() for name in names if name.strip()))


# The prompts that ask for a list of answers, for Rollcall's readers and for what harnesses are given.
# Answers are requested as a JSON list, so that commas inside names do not split them.

LIST_SYSTEM = (
    "You answer questions that have many answers. Give every answer you can, each by its full name and only "
    'once. Reply with a JSON object and nothing else: {"answers": ["first answer", "second answer"]}. If '
    'there is no answer, reply {"answers": []}.'
)
PASSAGES_SYSTEM = f"{LIST_SYSTEM} Use only what the passages say."


def listed(answers: Sequence[str]) -> str:
    """Answers in the requested form."""
    return json.dumps({"answers": list(answers)}, ensure_ascii=False)


def closed_book(question: str) -> str:
    return f"Question: {question}"


def over_texts(question: str, texts: Sequence[str]) -> str:
    """A question with the texts that should answer it."""
    numbered = "\n\n".join(f"[{number}] {text}" for number, text in enumerate(texts, 1))
    return f"Passages:\n\n{numbered}\n\nQuestion: {question}"


# How sure a model is of "yes", from the probabilities of the first word of its reply. If the server
# gives no probabilities, the word itself decides: 1 for yes, 0 for no, None for anything else.


def yes_probability(reply: Reply) -> float | None:
    """P(yes) / (P(yes) + P(no)) at the first token that is not blank; None if the reply says neither."""
    for chance in reply.chances:
        yes, no = _mass([(chance.token, chance.logprob), *chance.alternatives])
        if yes + no > 0.0:
            return yes / (yes + no)
        if chance.token.strip():
            break
    word = _word(reply.text)
    return {"yes": 1.0, "no": 0.0}.get(word)


def calibrated(probabilities: Iterable[float]) -> list[float]:
    """Channel scores as log-odds: how much more probable the input makes "yes" than the prior does.

    By Bayes' theorem, P(input | yes) / P(input | no) is the odds of yes given the input, divided by the prior
    odds. The prior is the mean over the given inputs. A score above zero is evidence for yes.
    """
    kept = [min(max(probability, 1e-6), 1 - 1e-6) for probability in probabilities]
    if not kept:
        return []
    prior = sum(kept) / len(kept)
    return [_log_odds(probability) - _log_odds(prior) for probability in kept]


def _log_odds(probability: float) -> float:
    return math.log(probability) - math.log1p(-probability)


def _mass(tokens: list[tuple[str, float]]) -> tuple[float, float]:
    seen: dict[str, float] = dict(tokens)  # the token itself is often among its alternatives
    mass = {"yes": 0.0, "no": 0.0}
    for token, logprob in seen.items():
        word = _word(token)
        if word in mass:
            mass[word] += math.exp(logprob)
    return mass["yes"], mass["no"]


def _word(text: str) -> str:
    words = text.replace("▁", " ").split()
    return words[0].strip(".,:;!\"'*`()[]").lower() if words else ""
