"""Paragraphs of a text whose lines are broken at a width, as in text files and PDFs.

A line break inside a sentence is no end of a paragraph, and a word that was divided is one word. What tells
them apart is the length of the lines, and how they end.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from statistics import median

_ENDS = (".", "!", "?", ":", ";", "。", "”", '"', ")")
_HYPHEN = re.compile(r"(?<=[a-zà-ÿ])[-\u00ad]$")
_BULLET = re.compile(r"\s*(?:[-*•–▪◦]|\d{1,3}[.)]|[a-z][.)])\s+\S")
_SHORT = 0.75
"""A line shorter than this share of the usual length was ended on purpose."""
_WIDEST = 120
"""Lines above this are not broken at a width: each is a paragraph."""
_DIGITS = re.compile(r"\d+")
_FEWEST_PAGES = 3


def paragraphs(text: str) -> list[str]:
    """The paragraphs of a text, each in one line."""
    lines = [line.strip() for line in text.splitlines()]
    filled = [len(line) for line in lines if line]
    if not filled or max(filled) > _WIDEST:
        return [line for line in lines if line]
    usual = median(sorted(filled)[len(filled) // 2 :])
    found: list[list[str]] = [[]]
    for line in lines:
        if not line:
            found.append([])
        else:
            if found[-1] and _ends_before(found[-1][-1], line, usual):
                found.append([])
            found[-1].append(line)
    return [_joined(part) for part in found if part]


def _ends_before(line: str, following: str, usual: float) -> bool:
    """Whether a paragraph ends between two lines that follow one another."""
    if _BULLET.match(following):
        return True
    short = len(line) < _SHORT * usual
    return short and (line.endswith(_ENDS) or following[:1].isupper())


def _joined(lines: Sequence[str]) -> str:
    joined = lines[0]
    for line in lines[1:]:
        divided = _HYPHEN.search(joined) and line[:1].islower()
        joined = joined[:-1] + line if divided else f"{joined} {line}"
    return " ".join(joined.split())


def without_running_heads(pages: Iterable[str]) -> Iterator[str]:
    """Pages without their numbers, and without first and last lines that most of them share."""
    cut = [[line for line in page.splitlines() if line.strip()] for page in pages]
    heads = _shared([lines[0] for lines in cut if lines])
    feet = _shared([lines[-1] for lines in cut if lines])
    for lines in cut:
        while lines and (_shape(lines[0]) in heads or lines[0].strip().isdigit()):
            lines.pop(0)
        while lines and (_shape(lines[-1]) in feet or lines[-1].strip().isdigit()):
            lines.pop()
        yield "\n".join(lines)


def _shape(line: str) -> str:
    return _DIGITS.sub("0", " ".join(line.split()))


def _shared(lines: list[str]) -> set[str]:
    shapes = [_shape(line) for line in lines]
    if len(shapes) < _FEWEST_PAGES:
        return set()
    return {shape for shape in shapes if 2 * shapes.count(shape) > len(shapes)}
