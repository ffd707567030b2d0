"""Which sentences a corpus has, and which facts its text states."""

from collections.abc import Collection
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

from rollcall.errors import RollcallError
from rollcall.query.parse import parse_statement
from rollcall.query.statements import Edge, Entity, Literal, variables_of
from rollcall.query.values import parse_value
from rollcall.questions.record import Evidence
from rollcall.tables.corpus import Sentences
from rollcall.tables.evidence import Evidence as EvidenceTable
from rollcall.tables.mining import ProvableFacts
from rollcall.tables.table import file_name

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


def sentences_in(corpus: Path, texts: Collection[str]) -> set[str]:
    """Those of the texts that are sentences of a corpus."""
    import pyarrow as pa
    import pyarrow.compute as pc

    from rollcall.tables.reader import batches

    wanted = pa.array(sorted(texts), pa.string())
    found: set[str] = set()
    for batch in batches(Sentences, corpus / file_name(Sentences), ["text"]) if len(wanted) else ():
        column = batch.column(0)
        found.update(map(str, column.filter(pc.is_in(column, value_set=wanted)).to_pylist()))
    return found


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
