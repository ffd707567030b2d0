"""Text whose lines are broken at a width, as in text files, PDFs and mail: its paragraphs, each in one line.

A line break inside a sentence does not end a paragraph. What tells them apart is the length of the lines, and
how they end. Lists, tables, code and verse keep their lines.

- `width_of`: the width at which the lines of some texts are broken, if they are.
- `unwrapped`: such a text with its paragraphs in one line each, and its other lines as they are.
- `paragraphs`: the paragraphs of a file of text, whatever its lines are.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from statistics import median

from rollcall.text.words import ARTICLES, CONJUNCTIONS, FURTHER_PREPOSITIONS, PREPOSITIONS

_ENDS = (".", "!", "?", ":", ";", "。", "”", '"', ")")
_OPEN = ARTICLES | CONJUNCTIONS | PREPOSITIONS | FURTHER_PREPOSITIONS
"""After these words, and after a comma, no sentence ends."""
_HYPHEN = re.compile(r"(?<=[a-zà-ÿ])[-\u00ad]$")
_BULLET = re.compile(r"\s*(?:[-*+•–▪◦·]|\d{1,3}[.)]|\(?[a-z][.)])\s+\S")
_LAID_OUT = re.compile(r"\t| {4}|.*\S(?: {3,}|\t|\s*\|\s*)\S|.*[{}]\s*$|.*\w\(.*\);\s*$")
"""Lines of tables and code: with tabs, columns, an indent or signs that prose does not have there."""
_SHORT = 0.75
"""A line shorter than this share of the usual length was ended on purpose."""
_WIDEST = 120
"""Lines above this are not broken at a width: each is a paragraph."""
_NARROWEST = 40
_FEWEST_BREAKS = 4
_FULL, _INSIDE, _CAPITALS = 0.75, 0.5, 0.8
_NEARLY = 0.85
"""Texts of one source may be broken at widths that differ by as much."""
_FEWEST_VERSES = 3


def width_of(texts: Iterable[str]) -> int:
    """The width at which the lines of most texts are broken; 0 if their line breaks have another reason.

    Nearly every line is then so long that the next word had no room. Most end inside a sentence, and few of
    the lines that follow begin with a capital, as those of verse and lists do.
    """
    breaks = [pair for text in texts for block in _blocks(text) for pair in pairwise(block)]
    breaks = [(line, following) for line, following in breaks if _is_prose(line) and _is_prose(following)]
    if len(breaks) < _FEWEST_BREAKS:
        return 0
    lengths = sorted(len(line) for line, _ in breaks)
    width = lengths[len(lengths) * 19 // 20]
    full = [len(line) + len(following.split()[0]) >= _NEARLY * width for line, following in breaks]
    inside = [not line.endswith(_ENDS) for line, _ in breaks]
    capitals = [following.lstrip()[:1].isupper() for _, following in breaks]
    is_wrapped = (
        _NARROWEST <= width <= _WIDEST
        and sum(full) >= _FULL * len(breaks)
        and sum(inside) >= _INSIDE * len(breaks)
        and sum(capitals) < _CAPITALS * len(breaks)
    )
    return width if is_wrapped else 0


def unwrapped(text: str, width: int, *, in_place: bool = False) -> str:
    """A text whose lines are broken at a width, with each paragraph in one line and all other lines kept.

    With `in_place`, every character keeps its position.
    """
    joined = ""
    for block in _blocks(text, blank=True):
        is_verse = _is_verse(block, width)
        for number, line in enumerate(block):
            follows = number and not is_verse and _continues(block[number - 1], line, width)
            if follows and not in_place and _HYPHEN.search(joined) and line[:1].islower():
                joined += line
            elif follows:
                joined += f" {line}"
            else:
                joined += f"\n{line}"
    return joined[1:]


def paragraphs(text: str, *, keeps_layout: bool = False) -> list[str]:
    """The paragraphs of a text, each in one line; with `keeps_layout`, other lines are kept one by one."""
    lines = text.splitlines()
    filled = [len(line.strip()) for line in lines if line.strip()]
    if not filled or max(filled) > _WIDEST:
        return [line.strip() for line in lines if line.strip()]
    usual = median(sorted(filled)[len(filled) // 2 :])
    joined_paragraphs: list[str] = []
    for block in _blocks(text):
        is_verse = keeps_layout and _is_verse(block, usual)
        part: list[str] = []
        for number, line in enumerate(block):
            if number and (is_verse or not _continues(block[number - 1], line, usual, keeps_layout)):
                joined_paragraphs.append(_joined(part))
                part = []
            part.append(line.strip())
        joined_paragraphs.append(_joined(part))
    return joined_paragraphs


def _blocks(text: str, *, blank: bool = False) -> Iterator[list[str]]:
    """The lines between blank lines; with `blank`, blank lines are blocks of their own."""
    block: list[str] = []
    for line in text.split("\n"):
        if line.strip():
            block.append(line if blank else line.rstrip())
            continue
        if block:
            yield block
        if blank:
            yield [line]
        block = []
    if block:
        yield block


def _is_prose(line: str) -> bool:
    return not _BULLET.match(line) and not _LAID_OUT.match(line)


def _is_verse(block: Sequence[str], width: float) -> bool:
    """Whether most lines of a block begin with a capital, and most could have been longer."""
    if len(block) < _FEWEST_VERSES:
        return False
    capitals = sum(line.lstrip()[:1].isupper() for line in block)
    short = sum(len(line) + len(after.split()[0]) < _NEARLY * width for line, after in pairwise(block))
    return capitals >= _CAPITALS * len(block) and short > _INSIDE * (len(block) - 1)


def _continues(line: str, following: str, usual: float, keeps_layout: bool = True) -> bool:
    """Whether a paragraph continues in the next line."""
    if _BULLET.match(following):
        return False
    if keeps_layout and (_LAID_OUT.match(line) or _LAID_OUT.match(following)):
        return False
    line, following = line.strip(), following.strip()
    short = len(line) < _SHORT * usual
    return not (short and (line.endswith(_ENDS) or (following[:1].isupper() and not _is_open(line))))


def _is_open(line: str) -> bool:
    """Whether a line ends inside a sentence, whatever comes next."""
    return line.endswith(",") or line.rpartition(" ")[2] in _OPEN


def _joined(lines: Sequence[str]) -> str:
    joined = lines[0]
    for line in lines[1:]:
        divided = _HYPHEN.search(joined) and line[:1].islower()
        joined = joined[:-1] + line if divided else f"{joined} {line}"
    return " ".join(joined.split())
