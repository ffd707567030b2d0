"""Which sentences a corpus has, and which facts its text states."""

from collections.abc import Collection, Iterator
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

from rollcall.errors import RollcallError
from rollcall.query.parse import parse_statement
from rollcall.query.statements import Edge, Entity, Literal, variables_of
from rollcall.query.values import parse_value
from rollcall.questions.record import Evidence
from rollcall.tables.corpus import Pages, Redirects, Sentences
from rollcall.tables.evidence import Evidence as EvidenceTable
from rollcall.tables.mining import ProvableFacts
from rollcall.tables.table import Table, file_name

Fact = tuple[str, str, str, bool]
"""Subject, relation, object, and whether the object is a value."""


def fact_of(edge: Edge) -> Fact:
    """A statement without variables as a row of facts."""
    assert isinstance(edge.subject, Entity)
    if isinstance(edge.object, Literal):
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
    found: dict[str, set[str]] = {}
    for row in _rows_with(Sentences, corpus, ("text", "page"), texts):
        found.setdefault(row["page"], set()).add(row["text"])
    pages = {row["id"]: row["title"] for row in _rows_with(Pages, corpus, ("id", "title"), set(found))}
    there: set[Place] = {(pages[page], text) for page, some in found.items() for text in some}
    anywhere = {text for _, text in there}
    titles = {title for title, _ in places if title is not None}
    moved = {
        row["title"]: row["target"] for row in _rows_with(Redirects, corpus, ("title", "target"), titles)
    }

    def is_there(title: str | None, text: str) -> bool:
        if title is None:
            return text in anywhere
        return (title, text) in there or (moved.get(title), text) in there

    return {place for place in places if is_there(*place)}


def _rows_with(
    table: type[Table], corpus: Path, columns: tuple[str, str], values: Collection[str]
) -> Iterator[dict[str, str]]:
    """The rows of a table whose first column has one of some values."""
    import pyarrow as pa
    import pyarrow.compute as pc

    from rollcall.tables.reader import batches

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
    with TemporaryDirectory() as place:
        rows, out = Path(place) / "facts.parquet", Path(place) / "evidence.parquet"
        write_provable(facts, rows)
        find_evidence(graph, corpus, rows, out, verifier=verifier, jobs=jobs)
        return accepted(out, corpus)


def write_provable(facts: Collection[Fact], path: Path) -> None:
    """Write facts as the table that evidence is searched for."""
    import pyarrow as pa

    from rollcall.tables.table import columns, schema
    from rollcall.tables.writer import write_sorted

    listed = [dict(zip(columns(ProvableFacts), fact, strict=True)) for fact in sorted(facts)]
    write_sorted(ProvableFacts, path, pa.Table.from_pylist(listed, schema=schema(ProvableFacts)))


def accepted(table: Path, corpus: Path) -> dict[Fact, Evidence]:
    """The best accepted sentence of every fact in a table of evidence."""
    from rollcall.corpus import Corpus
    from rollcall.tables.reader import records

    found = {}
    with Corpus.open(corpus, check=False) as opened:
        for row in records(EvidenceTable, table):
            if not row["validated"] or row["rank"] != 1:
                continue
            fact = (row["subject"], row["relation"], row["object"], row["literal"])
            object_ = Literal(parse_value(row["object"])) if row["literal"] else Entity(row["object"])
            found[fact] = Evidence(
                text=row["text"],
                passage=row["passage"],
                title=opened.page(row["page"]).title,
                start=row["start"],
                end=row["end"],
                score=row["score"],
                fact=Edge(Entity(row["subject"]), row["relation"], object_).text,
            )
    return found
