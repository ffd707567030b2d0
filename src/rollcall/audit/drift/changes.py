"""The records of what changed: causes, answers, questions, figures."""

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, Literal, NamedTuple

import msgspec

from rollcall._core.errors import UNREADABLE, RollcallError
from rollcall._core.files import open_compressed
from rollcall.audit.material import query_of
from rollcall.graph.sources.wikidata import quantity_row, time_row
from rollcall.query.parse import parse_statement
from rollcall.query.statements import Edge, Entity, variables_of
from rollcall.query.statements import Literal as LiteralTexts
from rollcall.query.values import parse_value
from rollcall.questions.record import Evidence, Question
from rollcall.tables.build import EvidenceRows, ProvableFacts
from rollcall.tables.corpus import Pages, Redirects, Sentences
from rollcall.tables.table import DeclaredTable, columns, file_name, schema
from rollcall.text.words import fold

ADDED = "statement added"
ENDED, DEPRECATED, REMOVED = "statement ended", "statement deprecated", "statement removed"
GONE = "statement gone"
"""Ended, deprecated or removed: which of them, only the dump says."""
STATED, UNSTATED = "evidence added", "evidence gone"
JUDGED = "evidence judged otherwise"
LISTED = "list changed"
LABEL = "label changed"
STATUS = "kept as neutral on one side"
UNKNOWN = "unknown"
CAUSES = (ADDED, ENDED, DEPRECATED, REMOVED, GONE, STATED, UNSTATED, JUDGED, LISTED, LABEL, STATUS, UNKNOWN)

AnswerKind = Literal["came", "went", "renamed", "names", "neutral", "no longer neutral"]
CAME: Final = "came"
WENT: Final = "went"
RENAMED: Final = "renamed"
NAMES: Final = "names"
"""Its label is the same, and other names are not."""
NEUTRAL: Final = "neutral"
NOT_NEUTRAL: Final = "no longer neutral"
"""It counts on neither side, and is neutral on one."""


class Cause(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why an answer changed: what happened, and the fact to which it happened."""

    kind: str
    fact: str = ""
    """The fact as the query language writes it: `Q42 P50 Q5`."""
    said: str = ""
    """The fact in the names of the graph."""
    text: str = ""
    """The sentence that no longer states it, or that does now."""
    title: str | None = None
    """The page of the sentence."""


class AnswerChange(msgspec.Struct, omit_defaults=True):
    """An answer that came, went, was renamed, or is known by other names now."""

    kind: AnswerKind
    label: str
    id: str | None = None
    before: str | None = None
    """The label it had, if it was renamed."""
    causes: list[Cause] = []

    @property
    def cause(self) -> str:
        """The kind of its first cause."""
        return self.causes[0].kind if self.causes else UNKNOWN


class Reworded(msgspec.Struct, frozen=True):
    """The text of a question before and after."""

    before: str
    after: str


class QuestionChange(msgspec.Struct, omit_defaults=True):
    """A question of both sides that is not the same in both."""

    id: str
    question: str
    new_id: str | None = None
    """Its id in the new set, if that is another."""
    kind: str | None = None
    reworded: Reworded | None = None
    answers: list[AnswerChange] = []


class QuestionRecord(msgspec.Struct, omit_defaults=True):
    """A question that only one side has, and why, if that is known."""

    id: str
    question: str
    kind: str | None = None
    why: str = ""


class ChangePart(msgspec.Struct, frozen=True):
    """A part of a change in a figure, with its interval if one could be computed."""

    value: float
    interval: tuple[float, float] | None = None


class Rescored(msgspec.Struct, omit_defaults=True):
    """A run's figures on the old and the new gold of the questions that both sides have."""

    run: str
    questions: int
    profile: str
    figures: dict[str, "FigureChange"] = {}
    unanswered: int = 0
    """How many of the questions the run has no answer to; they count as wrong on both sides."""


class FigureChange(msgspec.Struct, omit_defaults=True):
    """One figure before and after, and the part of each cause in the difference."""

    before: float
    after: float
    drift: ChangePart
    by_cause: dict[str, ChangePart] = {}


# Which question of one set is which of the other: by id, then by canonical query, then by wording. Two
# questions with one id but different queries are different questions: ids of some recipes are numbers
# that count through a set. What several questions share (paraphrases have one query) matches in the
# order of the sets, and only once.


class Matches(NamedTuple):
    """The questions of both sides, those of the new side, and those of the old side."""

    both: list[tuple[Question, Question]]
    added: list[Question]
    gone: list[Question]


def canonical_query(question: Question) -> str | None:
    """The canonical text of a question's query; None if it has none that can be read."""
    query = query_of(question)
    return None if query is None else query.text


def match(old: Sequence[Question], new: Sequence[Question]) -> Matches:
    """Match the questions of two sets."""
    queries = {id(question): canonical_query(question) for question in (*old, *new)}

    def text_of(question: Question) -> str | None:
        return queries[id(question)]

    def is_other(first_question: Question, second_question: Question) -> bool:
        first, second = text_of(first_question), text_of(second_question)
        return first is not None and second is not None and first != second

    partners: dict[int, Question] = {}
    taken: set[int] = set()
    keys: list[Callable[[Question], Hashable | None]] = [
        lambda question: question.id,
        lambda question: (text_of(question), question.question) if text_of(question) else None,
        text_of,
        lambda question: fold(question.question) or None,
    ]
    for key in keys:
        waiting: dict[Hashable, list[Question]] = {}
        for question in new:
            value = key(question)
            if id(question) not in taken and value is not None:
                waiting.setdefault(value, []).append(question)
        for question in old:
            options = waiting.get(key(question), ()) if id(question) not in partners else ()
            partner = next((option for option in options if not is_other(question, option)), None)
            if partner is not None and isinstance(options, list):
                partners[id(question)] = partner
                taken.add(id(partner))
                options.remove(partner)
    return Matches(
        [(question, partners[id(question)]) for question in old if id(question) in partners],
        _without(new, taken),
        _without(old, set(partners)),
    )


def _without(questions: Iterable[Question], taken: set[int]) -> list[Question]:
    return [question for question in questions if id(question) not in taken]


# Which sentences a corpus has, and which facts its text states.

Fact = tuple[str, str, str, bool]
"""Subject, relation, object, and whether the object is a value."""


def fact_of(edge: Edge) -> Fact:
    """A statement without variables as a row of facts."""
    assert isinstance(edge.subject, Entity)
    if isinstance(edge.object, LiteralTexts):
        return edge.subject.id, edge.relation, edge.object.value.text, True
    assert isinstance(edge.object, Entity)
    return edge.subject.id, edge.relation, edge.object.id, False


def fact_in(piece: Evidence) -> Edge | None:
    """The fact that a piece of evidence is for."""
    return _parsed(piece.fact) if piece.fact else None


@lru_cache(maxsize=1 << 17)
def _parsed(text: str) -> Edge | None:
    try:
        statement = parse_statement(text)
    except RollcallError:
        return None
    return statement if isinstance(statement, Edge) and not variables_of(statement) else None


Place = tuple[str | None, str]
"""A sentence on a page: the page's title, if it is known, and the sentence."""


def place_of(piece: Evidence) -> Place:
    """Where a piece of evidence stands."""
    return piece.title, piece.text


def sentences_in(corpus: Path, places: Collection[Place]) -> set[Place]:
    """Those of the sentences that a corpus has on their pages, or on the pages to which these were moved.

    The page matters: "He directed the film." may stand on many.
    """
    texts = {text for _, text in places}
    texts_of_page: dict[str, set[str]] = {}
    for row in _rows_with(Sentences, corpus, ("text", "page"), texts):
        texts_of_page.setdefault(row["page"], set()).add(row["text"])
    pages = {
        row["id"]: row["title"] for row in _rows_with(Pages, corpus, ("id", "title"), set(texts_of_page))
    }
    in_corpus: set[Place] = {(pages[page], text) for page, some in texts_of_page.items() for text in some}
    anywhere = {text for _, text in in_corpus}
    titles = {title for title, _ in places if title is not None}
    moved = {
        row["title"]: row["target"] for row in _rows_with(Redirects, corpus, ("title", "target"), titles)
    }

    def is_there(title: str | None, text: str) -> bool:
        if title is None:
            return text in anywhere
        return (title, text) in in_corpus or (moved.get(title), text) in in_corpus

    return {place for place in places if is_there(*place)}


def _rows_with(
    table: type[DeclaredTable], corpus: Path, columns: tuple[str, str], values: Collection[str]
) -> Iterator[dict[str, str]]:
    """The rows of a table whose first column has one of some values."""
    import pyarrow as pa
    import pyarrow.compute as pc

    from rollcall.tables.files import batches

    wanted = pa.array(sorted(values), pa.string())
    for batch in batches(table, corpus / file_name(table), list(columns)) if len(wanted) else ():
        rows = batch.filter(pc.is_in(batch.column(columns[0]), value_set=wanted))
        yield from rows.to_pylist()


def stated_facts(
    facts: Collection[Fact], graph: Path, corpus: Path, verifier: str, jobs: int | None = None
) -> dict[Fact, Evidence]:
    """The best sentence of a corpus for every fact that one states, by a verifier."""
    from rollcall.evidence.find import find_evidence

    if not facts:
        return {}
    with TemporaryDirectory() as folder:
        rows, out = Path(folder) / "facts.parquet", Path(folder) / "evidence.parquet"
        write_provable(facts, rows)
        find_evidence(graph, corpus, rows, out, verifier=verifier, jobs=jobs)
        return accepted(out, corpus)


def write_provable(facts: Collection[Fact], path: Path) -> None:
    """Write facts as the table that evidence is searched for."""
    import pyarrow as pa

    from rollcall.tables.files import write_sorted

    listed = [dict(zip(columns(ProvableFacts), fact, strict=True)) for fact in sorted(facts)]
    write_sorted(ProvableFacts, path, pa.Table.from_pylist(listed, schema=schema(ProvableFacts)))


def accepted(table: Path, corpus: Path) -> dict[Fact, Evidence]:
    """The best accepted sentence of every fact in a table of evidence."""
    from rollcall.corpus import Corpus
    from rollcall.tables.files import records

    best = {}
    with Corpus.open(corpus, check=False) as opened:
        for row in records(EvidenceRows, table):
            if not row["validated"] or row["rank"] != 1:
                continue
            fact = (row["subject"], row["relation"], row["object"], row["literal"])
            object_ = LiteralTexts(parse_value(row["object"])) if row["literal"] else Entity(row["object"])
            best[fact] = Evidence(
                text=row["text"],
                passage=row["passage"],
                title=opened.page(row["page"]).title,
                start=row["start"],
                end=row["end"],
                score=row["score"],
                fact=Edge(Entity(row["subject"]), row["relation"], object_).text,
            )
    return best


# How a Wikidata dump of today has a statement that a graph no longer has: ended, deprecated, or not at
# all. A graph keeps neither ended nor deprecated statements, so only the dump tells which of the two it
# was. The lines of other items are skipped without being read.

_ID = b'"id":"'
_HEAD = 200
"""An item's line says its id within this number of bytes."""
_END_TIME = "P582"


class Withdrawn:
    """The statements of some items in a dump, each with what became of it."""

    def __init__(self, dump: Path, items: Collection[str]):
        self._states: dict[tuple[str, str, str], str] = {}
        for record in _records(dump, items):
            for relation, statements in _claims(record):
                for statement in statements:
                    value = _value(statement)
                    if value is not None:
                        self._states[record["id"], relation, value] = _state(statement)

    def state(self, subject: str, relation: str, object_: str) -> str:
        """What became of a statement that a graph no longer has: ended, deprecated, removed, or `gone` if the
        dump has it as before, as where another value is preferred now."""
        return self._states.get((subject, relation, object_), REMOVED)


def _records(dump: Path, items: Collection[str]) -> Iterator[dict[str, Any]]:
    wanted = {item.encode() for item in items}
    with open_compressed(dump) as stream:
        for number, line in enumerate(stream, 1):
            _, _, after = line[:_HEAD].replace(b'": "', b'":"').partition(_ID)
            if after.partition(b'"')[0] not in wanted:
                continue
            try:
                yield msgspec.json.decode(line.strip().rstrip(b","), type=dict[str, Any])
            except UNREADABLE as error:
                raise RollcallError(f"{dump}:{number}: is not the line of an item ({error})") from error


def _claims(record: dict[str, Any]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    claims = record.get("claims")
    yield from (claims.items() if isinstance(claims, dict) else ())


def _value(statement: dict[str, Any]) -> str | None:
    """The object of a statement: an item, a date or a quantity; None for other values."""
    data = statement.get("mainsnak", {}).get("datavalue", {})
    value = data.get("value")
    if not isinstance(value, dict):
        return None
    if data.get("type") == "time":
        row = time_row(str(value.get("time")), int(value.get("precision", 0)))
    elif data.get("type") == "quantity":
        row = quantity_row(str(value.get("amount")), str(value.get("unit", "1")))
    else:
        return value.get("id")
    return None if isinstance(row, str) else row[0]


def _state(statement: dict[str, Any]) -> str:
    if statement.get("rank") == "deprecated":
        return DEPRECATED
    ends = statement.get("qualifiers", {})
    ends = ends.get(_END_TIME, ()) if isinstance(ends, dict) else ()
    return ENDED if any(snak.get("snaktype") != "novalue" for snak in ends) else GONE


def name_withdrawals(changes: Sequence[AnswerChange], dump: Path) -> None:
    """Say of every statement that is gone what the dump says became of it."""
    gone = {
        cause.fact: edge
        for change in changes
        for cause in change.causes
        if cause.kind == GONE and (edge := _parts(cause.fact)) is not None
    }
    if not gone:
        return
    states = Withdrawn(dump, {subject for subject, _, _ in gone.values()})
    for change in changes:
        change.causes = [
            msgspec.structs.replace(cause, kind=states.state(*gone[cause.fact]))
            if cause.kind == GONE and cause.fact in gone
            else cause
            for cause in change.causes
        ]


def _parts(fact: str) -> tuple[str, str, str] | None:
    """The subject, relation and object of a fact; None for the class of an entity."""
    edge = parse_statement(fact)
    return fact_of(edge)[:3] if isinstance(edge, Edge) else None
