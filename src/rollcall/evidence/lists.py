"""Evidence for what lists state: that an entity is on a list, and what its row says.

Input: `list_facts`, and `related` with its evidence. Output: the table `evidence`.

- `find` runs all steps; if a list or column stands for a relation of the graph, the evidence of that relation
  counts.
- `columns` scores sentences that name what a column says, by the words of the column's heading.
- `membership` searches the entry's page for the words of a list's name.
"""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import cache, lru_cache
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import ibis
import numpy as np
from ibis import _

from rollcall._core.files import remove, replacing
from rollcall.corpus.lists import MEMBERSHIP, parse_column
from rollcall.evidence.candidate import FACT, CandidateSentence, evidence_table, with_passages
from rollcall.evidence.find import find_evidence
from rollcall.evidence.values import wanted_value
from rollcall.evidence.verifiers.verifier import Verifier
from rollcall.mine.joins import needed_facts
from rollcall.mine.lists.columns import ListName, list_name, words_of
from rollcall.mine.lists.mine import YEAR_OF_DAY
from rollcall.query import Number
from rollcall.tables.build import (
    EvidenceRows,
    ListFacts,
    Proofs,
    ProvableFacts,
    RankedCandidates,
    RelatedFacts,
    RelationNames,
)
from rollcall.tables.corpus import Passages, Sentences, Ties
from rollcall.tables.engine import Engine, Workbench, opened
from rollcall.tables.files import TableWriter, records
from rollcall.tables.table import DeclaredTable, Rows, String, columns, shaped, unbound
from rollcall.text.nouns import demonyms
from rollcall.text.words import kindred

if TYPE_CHECKING:
    from numpy.typing import NDArray


# Scores sentences that name what a column of a list says, if the column stands for no relation of the
# graph. Only the heading of such a column is known. A sentence that names the entry's value is accepted,
# with a higher score if it has words of the heading. A small number occurs everywhere, so it counts only
# together with such a word; so does a cell's word without its capital ("drama"), except in the sentence
# that says what the entry is.

UNHEADED = 0.5
"""The score of a sentence that has no word of the heading."""
_SMALL = Decimal(100)


class HeadingVerifier(Verifier):
    """Accepts every sentence that names the value: score 0.5 without the heading's words, 1 with all."""

    name = "heading"
    parallel = True

    def scores(self, candidates: Sequence[CandidateSentence]) -> "NDArray[np.float64]":
        """0.5, and the other half in proportion to the heading's words that are in the sentence."""
        return np.array([_score(candidate) for candidate in candidates], np.float64)


def _score(candidate: CandidateSentence) -> float:
    column = parse_column(candidate.relation)
    heading = words_of(column.header) if column else []
    matches = kindred(heading, _words(candidate.text))
    share = sum(map(bool, matches)) / len(matches) if matches else 0.0
    if not share and candidate.literal and (_is_small(candidate.object) or _is_in_passing(candidate)):
        return 0.0
    return UNHEADED + (1 - UNHEADED) * share


def _is_in_passing(candidate: CandidateSentence) -> bool:
    """Whether a sentence after the first has the words of a cell, but not its capital."""
    small = f'"{candidate.name}"'
    return candidate.sentence > 0 and candidate.object != small and candidate.object.lower() == small


@lru_cache(1 << 10)
def _words(text: str) -> frozenset[str]:
    return frozenset(words_of(text))


@lru_cache(1 << 10)
def _is_small(text: str) -> bool:
    """Whether a value is a whole number below 100 without a unit."""
    value = wanted_value(text)
    return (
        isinstance(value, Number)
        and value.unit is None
        and abs(value.amount) < _SMALL
        and value.amount == value.amount.to_integral_value()
    )


# Words for lands: an Argentine club is one of Argentina, and a painter from France is a French painter.
# Lists are called after lands ("football clubs in Argentina", "French painters"), and pages say it
# either way.


def with_lands(words: frozenset[str]) -> frozenset[str]:
    """The words of a text, with the names of lands whose adjectives it has, and the adjectives of lands."""
    expanded = set(words)
    for word in words:
        for name_words, related_words in _by_first_word().get(word, ()):
            if name_words <= words:
                expanded |= related_words
    return frozenset(expanded)


@cache
def _by_first_word() -> dict[str, list[tuple[frozenset[str], frozenset[str]]]]:
    """Names and adjectives of lands with what they mean, by one of their words."""
    by_word: dict[str, list[tuple[frozenset[str], frozenset[str]]]] = {}
    for land, adjectives in demonyms().items():
        name = frozenset(words_of(land))
        for adjective in (frozenset(words_of(text)) for text in adjectives):
            for words, meaning in ((name, adjective), (adjective, name)):
                if words and meaning:
                    by_word.setdefault(min(words), []).append((words, meaning))
    return by_word


# Whether a page says that its topic is on a list: the page has all words of the list's name. This is not
# a search for a name: no text writes "island of Germany in Frisia". The words are in different places,
# in any order and form, often in several sentences. So they are searched for one by one on the whole
# page, and the sentence with the most of them is shown.


class MembershipSentence(NamedTuple):
    """The sentence with the most words of a list's name: its number on the page, the words, their share."""

    sentence: int
    words: str
    share: float
    validated: bool


def membership_sentence(
    sentences: Sequence[str], title: str, prefix: str, within_sentence: bool = False
) -> MembershipSentence | None:
    """The sentence with the most words of a list's name; validated if the page (or the sentence) has all."""
    name = list_name(title, prefix)
    if name is None or not sentences:
        return None
    words = [with_lands(frozenset(words_of(text))) for text in sentences]
    matches = kindred(name.words, frozenset().union(*words), name.names)
    counts = [sum(not forms.isdisjoint(sentence_words) for forms in matches) for sentence_words in words]
    best = max(range(len(counts)), key=lambda number: (counts[number], -number))
    if not counts[best]:
        return None
    share = min(counts[best] / (len(name.words) - max(len(name.either) - 1, 0)), 1.0)
    tested = [words[best]] if within_sentence else words
    validated = _has_all(name, frozenset().union(*tested))
    return MembershipSentence(best, " ".join(name.words), share, validated)


def _has_all(name: ListName, words: frozenset[str]) -> bool:
    """Whether words have all of a list's name; of those that it joins with `and`, one is enough."""
    matches = dict(zip(name.words, kindred(name.words, words, name.names), strict=True))
    has_alternative = any(matches[word] for word in name.either) if name.either else True
    return has_alternative and all(
        word_forms for word, word_forms in matches.items() if word not in name.either
    )


# Finds evidence for what lists state; the entry's own page must state it. Input: `list_facts`, the
# lists' `proofs`, `related` and its evidence, a graph and a corpus. Output: the table `evidence`. What a
# column says is searched for like any fact (`rollcall.evidence.find`); the words of the cells count as
# further names of what they link to. That an entity is on a list is proved by the words of the list's
# name. If the list or column stands for a relation of the graph (`rollcall.mine.lists.mine`), this
# is not enough: the evidence is then the sentence that was found to state the relation.

_TIES = ("sitelink", "item", "title")
_BATCH = 20_000
_FACT = list(FACT)


class PlacedEntries(DeclaredTable, name="placed", sorted_by=("page", "subject", "object")):
    """An entry of a list, with the page about it."""

    page = String("the page about the entry")
    subject = ListFacts.subject
    object = ListFacts.object


class Memberships(RankedCandidates, name="memberships"):
    """A sentence of the entry's page with the words of the list's name."""


def find_list_evidence(
    graph: Path,
    corpus: Path,
    list_facts: Path,
    out: Path,
    *,
    proofs: Path | None = None,
    related: Path | None = None,
    stated: Path | None = None,
    prefix: str = "List of",
    within_sentence: bool = False,
    engine: Engine | str = "duckdb",
    jobs: int | None = None,
) -> int:
    """Write `evidence` for the list facts that proofs need (or for all), and count the validated facts.

    `related` gives the facts of the graph that mean the same as some list facts; `stated` is the evidence for
    those. With `within_sentence`, the words of a list's name must be in one sentence, not only on the page.
    """
    folder = out / ".lists"
    remove(folder)
    folder.mkdir(parents=True)
    try:
        with opened(engine, memory="1GB", jobs=jobs) as running:
            with running.workbench(folder / "spill") as bench:
                bench.read(ListFacts, list_facts)
                if proofs is not None:
                    bench.read(Proofs, proofs, "list_proofs")
                bench.keep(ListFacts, _all_facts if proofs is None else _needed, "sought")
                if related is not None:
                    bench.read(RelatedFacts, related)
                column_facts = _column_facts if related is None else _unrelated_columns
                bench.write(ProvableFacts, column_facts, folder / "facts.parquet")
                bench.write(RelationNames, _cell_names, folder / "names.parquet")
                _find_memberships(bench, corpus, folder / "memberships.parquet", prefix, within_sentence)
            find_evidence(
                graph,
                corpus,
                folder / "facts.parquet",
                folder / "columns.parquet",
                verifier=HeadingVerifier(),
                further_names=folder / "names.parquet",
                where="subject-pages",
                engine=running,
            )
            with running.workbench(folder / "spill") as bench:
                bench.read(ListFacts, list_facts, "sought")
                bench.read(EvidenceRows, folder / "columns.parquet", "columns")
                bench.read(Memberships, folder / "memberships.parquet")
                bench.read(Passages, corpus / "passages.parquet")
                bench.keep(EvidenceRows, lambda: with_passages(unbound(Memberships)), "on_lists")
                if related is not None and stated is not None:
                    bench.read(RelatedFacts, related)
                    bench.read(EvidenceRows, stated, "stated")
                with replacing(out / "evidence.parquet") as partial:
                    bench.write(
                        EvidenceRows, _by_words if stated is None else _by_words_and_relations, partial
                    )
                bench.read(EvidenceRows, out / "evidence.parquet")
                return bench.count(lambda: evidence_table().filter(_.validated, _["rank"] == 1))
    finally:
        remove(folder)


def _all_facts() -> Rows[ListFacts]:
    return unbound(ListFacts)


def _needed() -> Rows[ListFacts]:
    return shaped(ListFacts, _all_facts().semi_join(needed_facts("list_proofs"), _FACT))


def _sought() -> Rows[ListFacts]:
    return unbound(ListFacts, "sought")


def _column_facts() -> Rows[ProvableFacts]:
    return shaped(ProvableFacts, _sought().filter(_.relation != MEMBERSHIP))


def _unrelated_columns() -> Rows[ProvableFacts]:
    """What columns say that stand for no relation of the graph."""
    return shaped(ProvableFacts, _column_facts().anti_join(unbound(RelatedFacts), _FACT))


def _cell_names() -> Rows[RelationNames]:
    """The words of cells, as names of what they link to."""
    cells = _sought().filter(_.relation != MEMBERSHIP, ~_.literal, _.text != "")
    return shaped(RelationNames, cells.select("relation", entity="object", words="text").distinct())


def _find_memberships(bench: Workbench, corpus: Path, path: Path, prefix: str, within_sentence: bool) -> None:
    """Read every page once for all lists that contain its topic."""
    bench.read(Sentences, corpus / "sentences.parquet", "corpus_sentences")
    bench.read(Ties, corpus / "ties.parquet", "corpus_ties")
    bench.keep(PlacedEntries, _placed)
    placed = path.with_suffix(".placed")
    bench.write(PlacedEntries, lambda: unbound(PlacedEntries), placed)
    rows: list[dict[str, Any]] = []
    names = columns(Memberships)
    with TableWriter(Memberships, path) as file:
        for lines, facts in _pages(bench, placed):
            texts = [str(line["text"]) for line in lines]
            for fact in facts:
                best = membership_sentence(texts, fact["object"], prefix, within_sentence)
                if best is not None:
                    line = lines[best.sentence]
                    evidence = {"name": best.words, "score": best.share, "validated": best.validated}
                    rows.append({**_MEMBERSHIP, **fact, **line, "sentence": line["number"], **evidence})
            if len(rows) >= _BATCH:
                file.append(*([row[name] for row in rows] for name in names))
                rows = []
        file.append(*([row[name] for row in rows] for name in names))


_MEMBERSHIP = {"relation": MEMBERSHIP, "literal": False, "rank": 1, "side": "subject"}


def _placed() -> Rows[PlacedEntries]:
    """Entries of lists with their page; if there are several pages, the one with the strongest tie."""
    ties = unbound(Ties, "corpus_ties")
    sure = ibis.cases(*((ties.tie == tie, rank) for rank, tie in enumerate(_TIES)), else_=len(_TIES))
    best = ties.mutate(
        place=ibis.row_number().over(ibis.window(group_by="entity", order_by=[sure, ties.page]))
    )
    homes = best.filter(_.place == 0).select("page", subject="entity")
    return shaped(PlacedEntries, _sought().filter(_.relation == MEMBERSHIP).join(homes, "subject"))


def _sentences() -> Rows[Sentences]:
    pages = unbound(PlacedEntries).select("page").distinct()
    return shaped(Sentences, unbound(Sentences, "corpus_sentences").semi_join(pages, "page"))


def _sentences_in_order() -> Rows[Sentences]:
    ordered: Rows[Sentences] = _sentences().order_by(["page", "number"])
    return ordered


def _pages(bench: Workbench, placed: Path) -> Iterator[tuple[list[dict[str, Any]], list[dict[str, Any]]]]:
    """The sentences of each page with the list facts to find there: two streams in page order, read in
    parallel.
    """
    facts_by_page = groupby(records(PlacedEntries, placed), key=_page)
    sentences = (row for batch in bench.stream(_sentences_in_order) for row in batch.to_pylist())
    page, group = next(facts_by_page, (None, iter(())))
    for name, lines in groupby(sentences, key=_page):
        while page is not None and page < name:  # a page without any sentence
            page, group = next(facts_by_page, (None, iter(())))
        if page == name:
            yield list(lines), list(group)


def _page(row: dict[str, Any]) -> str:
    return str(row["page"])


def _columns() -> Rows[EvidenceRows]:
    """The sentences that name what columns say.

    A year is in many sentences. Where the cell has the day, a sentence with the year needs a word of the
    heading, unless it is the one that says what the entry is.
    """
    years = _sought().filter(_.literal, _.text == YEAR_OF_DAY).select(*_FACT).distinct()
    joined = evidence_table("columns").left_join(years.mutate(bare=ibis.literal(True)), _FACT)
    rows = joined.select(*columns(EvidenceRows), "bare")
    sure = rows.bare.isnull() | (rows.score > UNHEADED) | (rows.sentence == 0)
    return shaped(EvidenceRows, rows.mutate(validated=rows.validated & sure))


def _by_words() -> Rows[EvidenceRows]:
    return shaped(EvidenceRows, ibis.union(_columns(), evidence_table("on_lists")))


def _by_words_and_relations() -> Rows[EvidenceRows]:
    on_lists = evidence_table("on_lists").anti_join(unbound(RelatedFacts), _FACT)
    union = ibis.union(_columns(), on_lists, _stated_columns(), _stated_lists())
    return shaped(EvidenceRows, union)


def _stated() -> Rows[EvidenceRows]:
    """The sentences that state the relations of lists, as evidence for what the lists state."""
    stated = evidence_table("stated").rename({f"of_{name}": name for name in FACT})
    return shaped(EvidenceRows, unbound(RelatedFacts).join(stated, [f"of_{name}" for name in FACT]))


def _stated_columns() -> Rows[EvidenceRows]:
    return shaped(EvidenceRows, _stated().filter(_.relation != MEMBERSHIP))


def _stated_lists() -> Rows[EvidenceRows]:
    """The words of a list's name must be found as well, because the name may say more than the relation."""
    with_words = evidence_table("on_lists").filter(_.validated).select(*_FACT).distinct()
    matched = with_words.mutate(met=ibis.literal(True))
    rows = _stated().filter(_.relation == MEMBERSHIP)
    joined = rows.left_join(matched, _FACT).select(*columns(EvidenceRows), "met")
    return shaped(EvidenceRows, joined.mutate(validated=joined.validated & joined.met.fill_null(False)))
