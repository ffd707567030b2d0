"""The last steps of making a graph: combine the shards, then install the finished folder.

- `finish_graph`: from the files of shards, with an engine. `write_local_names`: names for what has no label.
- `finish_in_memory`: from one shard in memory, with `MemoryCombination`.

Everything is built under `OUT/.partial`. The finished graph then replaces `OUT` in one step, so that a folder
with a manifest is a complete graph and a killed build leaves the old one.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from rollcall._core.files import remove
from rollcall.graph.assemble.combine import (
    CLASSES,
    ENTITIES,
    RELATIONS,
    Batches,
    ClassMembers,
    ClosedTypes,
    Edges,
    EngineCombination,
    LabelRows,
    Literals,
    LookupNames,
    Numbered,
    NumberedAliases,
    NumberedRelationAliases,
    Numbers,
    Parents,
    name_shards,
)
from rollcall.graph.index import FIRST_LITERAL, GRAPH_FOLDER
from rollcall.graph.ingest.records import local_name, local_term
from rollcall.graph.rows import GraphShard
from rollcall.input_files.ingestion import PARTIAL, Manifest
from rollcall.tables.engine import Engine, Workbench
from rollcall.tables.graph import Entities, EntityRows, RelationRows
from rollcall.tables.table import DeclaredTable, Rows, columns, schema, shaped, unbound
from rollcall.text.words import fold


def finish_graph(
    out: Path,
    shards: Path,
    engine: Engine,
    *,
    manifest: Manifest | None = None,
    name_all: bool | None = None,
    show_progress: bool | None = None,
) -> Path:
    """Build tables and index from shard files, and install them in `out`.

    Unless `name_all` is None, IRIs without labels are labelled with their local names, and if it is true,
    other ids too.
    """
    from rollcall._core.console import Progress
    from rollcall.graph.assemble.index_files import STEPS, build_tables_and_index

    staging = _staging(out)
    with (
        Progress("sorting", STEPS + 1, show=show_progress) as progress,
        engine.workbench(out / PARTIAL / "spill") as bench,
    ):
        name_shards(bench, shards)
        remarks: Manifest = {}

        def add_names() -> None:
            local_names = write_local_names(bench, shards, every=name_all)
            name_shards(bench, shards)
            if name_all is not None:
                remarks["named_by_ids"] = local_names._asdict()

        combination = EngineCombination(bench, add_names)
        counts, repeated = build_tables_and_index(
            combination, staging, lambda name: progress.advance(1, name)
        )
    GRAPH_FOLDER.install(
        staging, out, {"counts": counts, "repeated": repeated, **remarks, **(manifest or {})}
    )
    return out


def finish_in_memory(out: Path, shard: GraphShard) -> Path:
    """Build tables and index from one shard in memory, and install them in `out`."""
    from rollcall.graph.assemble.index_files import build_tables_and_index

    staging = _staging(out)
    counts, repeated = build_tables_and_index(MemoryCombination(shard), staging)
    GRAPH_FOLDER.install(staging, out, {"counts": counts, "repeated": repeated})
    return out


def _staging(out: Path) -> Path:
    staging = out / PARTIAL / "graph"
    remove(staging)
    staging.mkdir(parents=True)
    return staging


# Names for what no source labels: an IRI is called by its last part, and any other entity by its id. The
# names are written as one more shard, before labels are chosen, so that every engine treats them alike.
# They make no new entity, because the entities are numbered before. The last part of an IRI becomes its
# label. An id becomes a name that finds the entity, and the label stays empty.

FOLDER = "named/0000/000"
"""Among the folders of shards."""
_LAST_RANK = 900_000_000
_NAMES_PER_PART = 200_000
_IRI = "://"


def unlabelled(numbers: str, all_entities: bool) -> Rows[Numbered]:
    """The ids that have no label: IRIs, or with `all_entities` all of them."""
    ids, entities, relations = unbound(Numbered, numbers), unbound(EntityRows), unbound(RelationRows)
    labelled = entities.filter(entities.label.notnull()).select(labelled="id")
    lacking = ids.anti_join(labelled, ids.id == labelled.labelled)
    if numbers == RELATIONS:
        labelled_relations = relations.filter(relations.label.notnull()).select(labelled="id")
        lacking = lacking.anti_join(labelled_relations, lacking.id == labelled_relations.labelled)
    if not all_entities:
        lacking = lacking.filter(lacking.id.contains(_IRI))
    ordered: Rows[Numbered] = shaped(Numbered, lacking).order_by("number")
    return ordered


class LocalNames(NamedTuple):
    """What was called by its local name."""

    counts: dict[str, int]
    """How many entities, relations and classes."""
    example: str = ""


def write_local_names(bench: Workbench, shards: Path, *, every: bool | None) -> LocalNames:
    """Write a shard with the names of what has no label.

    IRIs get labels; with `every`, other ids do too, and without a value nothing does.
    """
    folder, part, shard = shards / FOLDER, 0, GraphShard(_LAST_RANK)
    counts, example = dict[str, int](), ""
    folder.mkdir(parents=True, exist_ok=True)
    kinds: tuple[tuple[str, str, Callable[[str], str], Callable[[str, str], None]], ...] = (
        ("entities", ENTITIES, local_name, lambda id_, name: shard.entity(id_, name)),
        ("relations", RELATIONS, local_term, lambda id_, name: shard.relation(id_, name)),
        ("classes", CLASSES, local_term, lambda id_, name: shard.entity(id_, name)),
    )
    for kind, numbers, name_of, add in kinds:
        if every is None and numbers != ENTITIES:
            continue
        for id_ in _ids(bench, numbers, bool(every) or numbers == ENTITIES):
            has_local_name = every is not None and (_IRI in id_ or (every and "." not in id_))
            name = name_of(id_) if has_local_name else ""
            if name and name != id_:
                add(id_, name)
                counts[kind] = counts.get(kind, 0) + 1
                example = example or f"{id_} is {name}"
            elif numbers == ENTITIES:
                shard.id_as_name(id_)
            if shard.count("entities") >= _NAMES_PER_PART:
                shard.write(folder, part)
                shard, part = GraphShard(_LAST_RANK), part + 1
    shard.write(folder, part)
    return LocalNames(counts, example)


def _ids(bench: Workbench, numbers: str, every: bool) -> Iterator[str]:
    for batch in bench.stream(partial(unlabelled, numbers, every)):
        yield from map(str, batch.column("id").to_pylist())


# One shard in memory, combined in plain Python: fast for small graphs, and the reference for the engine.


class MemoryCombination:
    """The rows of one shard, numbered and in order."""

    def __init__(self, shard: GraphShard) -> None:
        rows = {table: list(zip(*columns, strict=True)) for table, columns in shard.columns.items()}
        self._rows = rows
        ids = {row[0] for table in ("entities", "aliases", "types", "facts", "values") for row in rows[table]}
        self._ids = _ranks(ids | {row[2] for row in rows["facts"]})
        self._relation_ids = _ranks({row[1] for table in ("facts", "values") for row in rows[table]})
        self._literal_ids = _ranks({row[2] for row in rows["values"]})
        self._class_ids = _ranks(
            {row[1] for row in rows["types"]} | {id_ for row in rows["subclasses"] for id_ in row}
        )
        self._described = _first_texts((id_, rank, texts) for id_, *texts, rank in self._entity_texts())

    def _entity_texts(self) -> Iterator[tuple[str, str | None, str | None, str | None, int]]:
        for id_, label, _, description, title, rank in self._rows["entities"]:
            yield id_, label, description, title, rank

    def entities(self) -> Batches:
        nothing = (None, None, None)
        return _batch(
            Entities,
            ((id_, *self._described.get(id_, nothing)) for id_ in self._ids),
        )

    def literals(self) -> Batches:
        return _batch(
            Literals,
            sorted({row[2:] for row in self._rows["values"]}, key=lambda row: row[0].encode()),
        )

    def aliases(self) -> Batches:
        counts: dict[tuple[str, str, str], int | None] = {}
        for entity, text, _, source, count in self._rows["aliases"]:
            before = counts.get((entity, text, source))
            counts[entity, text, source] = count if before is None else max(before, count or before)
        for id_, label, *_ in self._entity_texts():
            if label is not None and label != self._described[id_][0]:
                counts[id_, label, "label"] = None
        rows = [(self._ids[entity], text, source, count) for (entity, text, source), count in counts.items()]
        rows.sort(key=lambda row: (row[0], row[1].encode(), row[2].encode()))
        return _batch(NumberedAliases, rows)

    def names(self) -> Batches:
        pairs = {(row[2], self._ids[row[0]]) for row in self._rows["entities"] if row[2] is not None}
        pairs |= {(row[2], self._ids[row[0]]) for row in self._rows["aliases"]}
        labelled = {id_ for id_, (label, *_) in self._described.items() if label is not None}
        unlabelled = [(fold(id_), number) for id_, number in self._ids.items() if id_ not in labelled]
        pairs |= {(name, number) for name, number in unlabelled if name}
        return _batch(LookupNames, sorted(pairs, key=lambda row: (row[0].encode(), row[1])))

    def relations(self) -> Batches:
        own_texts = _first_texts((id_, rank, texts) for id_, *texts, rank in self._rows["relations"])
        return self._texts_of(self._relation_ids, own_texts)

    def relation_aliases(self) -> Batches:
        aliases = [*self._rows["relation_aliases"], *((row[0], row[1]) for row in self._rows["aliases"])]
        pairs = {(self._relation_ids[id_], text) for id_, text in aliases if id_ in self._relation_ids}
        return _batch(NumberedRelationAliases, sorted(pairs, key=lambda row: (row[0], row[1].encode())))

    def classes(self) -> Batches:
        return self._texts_of(self._class_ids, {})

    def _texts_of(self, ids: Iterable[str], own_texts: dict[str, list[Any]]) -> Batches:
        """Label and description of each id: its own, or those of the entity with the same id."""
        rows = []
        for id_ in ids:
            texts = own_texts.get(id_, (None, None))
            described = self._described.get(id_, (None, None))
            rows.append(
                (
                    id_,
                    *(
                        text if text is not None else other
                        for text, other in zip(texts, described, strict=False)
                    ),
                )
            )
        return _batch(LabelRows, rows)

    def _edges(self) -> list[tuple[int, int, int]]:
        relations, ids, literals = self._relation_ids, self._ids, self._literal_ids
        edges = [(relations[row[1]], ids[row[0]], ids[row[2]]) for row in self._rows["facts"]]
        edges += [
            (relations[row[1]], ids[row[0]], literals[row[2]] + FIRST_LITERAL) for row in self._rows["values"]
        ]
        return edges

    def edges_forward(self) -> Batches:
        return _batch(Edges, sorted(self._edges()))

    def edges_backward(self) -> Batches:
        return _batch(Edges, sorted(self._edges(), key=lambda edge: (edge[0], edge[2], edge[1])))

    def parents(self) -> Batches:
        pairs = {(self._class_ids[row[0]], self._class_ids[row[1]]) for row in self._rows["subclasses"]}
        return _batch(Parents, sorted(pairs))

    def close_types(self, ancestors: Iterator[tuple[Numbers, Numbers]]) -> None:
        above = defaultdict(list)
        for classes, theirs in ancestors:
            for class_, ancestor in zip(classes.tolist(), theirs.tolist(), strict=True):
                above[class_].append(ancestor)
        self._types: dict[tuple[int, int], bool] = {}
        for entity, class_id in self._rows["types"]:
            class_ = self._class_ids[class_id]
            for ancestor in above[class_]:
                key = (self._ids[entity], ancestor)
                self._types[key] = self._types.get(key, False) or ancestor == class_

    def types_forward(self) -> Batches:
        rows = [(entity, class_, direct) for (entity, class_), direct in sorted(self._types.items())]
        return _batch(ClosedTypes, rows)

    def types_backward(self) -> Batches:
        return _batch(ClassMembers, sorted((class_, entity) for entity, class_ in self._types))


def _ranks(ids: set[str]) -> dict[str, int]:
    """Each id with its rank in byte order; the dictionary has the same order."""
    return {id_: number for number, id_ in enumerate(sorted(ids, key=str.encode))}


def _first_texts(rows: Iterable[tuple[str, int, list[Any]]]) -> dict[str, list[Any]]:
    """For each id and column, the text with the smallest rank; for equal ranks, the least text."""
    best: dict[str, list[Any]] = {}
    for id_, rank, texts in rows:
        keyed = [None if text is None else (rank, text.encode(), text) for text in texts]
        before = best.setdefault(id_, [None] * len(texts))
        best[id_] = [min(filter(None, pair), default=None) for pair in zip(before, keyed, strict=True)]
    return {id_: [entry and entry[2] for entry in entries] for id_, entries in best.items()}


def _batch(table: type[DeclaredTable], rows: Iterable[tuple[Any, ...]]) -> Batches:
    values = list(zip(*rows, strict=True)) or [()] * len(columns(table))
    arrays = [pa.array(value, field.type) for value, field in zip(values, schema(table), strict=True)]
    yield pa.RecordBatch.from_arrays(arrays, schema=schema(table))
