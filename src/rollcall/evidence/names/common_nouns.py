"""Names that a title capitalises and text writes in lower case: Pitcher, but someone "was a pitcher".

Input: names, with the sentences of the page about each. Output: the table `common_nouns`, with the names in
lower case. Titles always begin with a capital, so the name alone does not distinguish a position from a film.
The page about the thing does: the page of a common noun calls it "a pitcher" or "the pitcher" in its first
sentence, or writes it in lower case several times, and never with a capital inside a sentence. These names
are searched for in lower case as well.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

import pyarrow as pa
from ibis import _

from rollcall.tables.corpus import Sentences, Ties
from rollcall.tables.engine import Query, Workbench
from rollcall.tables.table import DeclaredTable, Rows, String, arrow, columns, shaped, unbound

if TYPE_CHECKING:
    import ibis.expr.types as ir

CAPITALISED = r"^[A-Z][a-z]{2,}([ -][A-Za-z][a-z]*)*\z"
"""Names whose capitals may come only from the title."""
_AGAIN = 2
"""How many sentences must write a name in lower case if the first sentence has no article before it."""
_ARTICLE = re.compile(r"\b(?:[Aa]n?|[Tt]he) $")


class CapitalisedNames(DeclaredTable):
    """A name whose capitals may come only from the title."""

    page = String("the page about what it names")
    entity = String("what it names")
    text = String("the name")


class SmallNames(CapitalisedNames):
    """A name that its page may write in lower case."""


class WrittenSentences(DeclaredTable, sorted_by=("entity", "name", "number", "text")):
    """A sentence that contains such a name, in lower case or not."""

    entity = CapitalisedNames.entity
    name = CapitalisedNames.text
    number = Sentences.number
    text = Sentences.text


class CommonNouns(DeclaredTable):
    """A name that is a common noun, in lower case."""

    entity = CapitalisedNames.entity
    text = CapitalisedNames.text


def keep_common_nouns(bench: Workbench, names: Query) -> None:
    """Keep `CommonNouns`: the names of some entities that are common nouns, in lower case."""
    bench.keep(CapitalisedNames, lambda: _capitalised_names(names()))
    bench.keep(SmallNames, small_names)
    bench.keep(WrittenSentences, written_sentences)
    bench.give(CommonNouns, _common_nouns(bench))


def _capitalised_names(names: "ir.Table") -> Rows[CapitalisedNames]:
    """Names whose capitals may come only from the title, with the page of what they name."""
    ties = unbound(Ties, "corpus_ties")
    plain = names.filter(_.text.re_search(CAPITALISED))
    return shaped(CapitalisedNames, plain.join(ties.select("entity", "page"), "entity"))


def _own_sentences(names: "ir.Table") -> "ir.Table":
    """Names with the sentences of the page of what they name."""
    sentences = unbound(Sentences, "corpus_sentences").select("page", "number", "text")
    return names.rename(name="text").join(sentences, "page")


def small_names() -> Rows[SmallNames]:
    """The names that their page may write in lower case: few, and only these are examined in detail."""
    rows = _own_sentences(unbound(CapitalisedNames)).filter(_.text.contains(_.name.lower()))
    return shaped(SmallNames, rows.select("page", "entity", text="name").distinct())


def written_sentences() -> Rows[WrittenSentences]:
    """The sentences that contain such a name, in lower case or not."""
    rows = _own_sentences(unbound(SmallNames))
    mentions_name = _.text.contains(_.name.lower()) | _.text.contains(" " + _.name)
    return shaped(WrittenSentences, rows.filter(mentions_name))


def _in_order() -> "ir.Table":
    return unbound(WrittenSentences).order_by(columns(WrittenSentences))


def _common_nouns(bench: Workbench) -> pa.Table:
    """The names that are common nouns, in lower case.

    A regular expression for each name would be compiled for every row; plain string searches avoid this.
    """
    nouns: dict[str, list[str]] = {"entity": [], "text": []}
    rows = (row for batch in bench.stream(_in_order) for row in zip(*batch.to_pydict().values(), strict=True))
    for (entity, name), group in groupby(rows, key=itemgetter(0, 1)):
        if is_common_noun(name, [(number, text) for _entity, _name, number, text in group]):
            nouns["entity"].append(entity)
            nouns["text"].append(name.lower())
    return arrow(CommonNouns, nouns)


def is_common_noun(name: str, sentences: Sequence[tuple[int, str]]) -> bool:
    """Whether the numbered sentences of its own page use a name as a common noun."""
    if is_capitalised_inside(name, (text for _number, text in sentences)):
        return False
    small, times, introduced = name.lower(), 0, False
    for number, text in sentences:
        positions = [position for position in _places(text, small) if _is_whole(text, position, len(small))]
        times += bool(positions)
        if number == 0 and not text.startswith(name):
            introduced = introduced or any(
                _ARTICLE.search(text, max(0, position - 5), position) for position in positions
            )
    return introduced or times >= _AGAIN


def is_capitalised_inside(name: str, texts: Iterable[str]) -> bool:
    """Whether a text has a name with its capital inside a sentence, as only a proper name is written."""
    return any(_is_inside(text, position, len(name)) for text in texts for position in _places(text, name))


def _places(text: str, name: str) -> Iterator[int]:
    position = text.find(name)
    while position >= 0:
        yield position
        position = text.find(name, position + 1)


def _is_whole(text: str, position: int, length: int) -> bool:
    """Whether the text at this place is a whole word."""
    around = text[position - 1 : position] + text[position + length : position + length + 1]
    return not any(character.isalnum() or character == "_" for character in around)


def _is_inside(text: str, position: int, length: int) -> bool:
    """Whether a capitalised name is inside a sentence and not part of a longer name."""
    before, behind = (
        text[position - 2 : position] if position > 1 else "",
        text[position + length : position + length + 2],
    )
    if before[1:] != " " or not (before[0].islower() or before[0].isdigit() or before[0] in ",;:)"):
        return False
    if behind[:1] == " ":
        return len(behind) == 2 and not behind[1].isupper()
    return not behind[:1].isalnum()
