"""Which equal ids of several tables and columns mean one entity, and what the others are called.

Ids are unique within a table with one thing a row, not across tables. So each such table, and each column
that names entities, has ids of its own at first. They are joined as follows:

- A column refers to a table if the user says so, or if most of its values are ids of that table.
- Two tables describe the same entities unless classes or labels of equal ids differ, or the ids are numbers.
- Any other equal ids mean one entity if their classes agree or one of them is unknown, except where a column
  without a class has hardly any value in common with a table with classes.

Of several entities with one id, the first keeps it, and the others are called `emacs (suite)`: the id with
the class, or with the heading or the file. Everything is decided when all files have been read, from all
rows, so that it does not depend on blocks, processes or the engine. Only what has changed is written again.

- `settle_ids`: decide, and write the changed rows. `SettledIds`: what was decided, for people.
- `check_references`: refuse a reference to a file that is not read.
- `replaced_folders`: which rows of which sources have been written again.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import groupby
from pathlib import Path, PurePosixPath
from typing import NamedTuple, TypeAlias

import ibis
import ibis.expr.types as ir
import msgspec
from ibis import _

from rollcall._core.errors import RollcallError
from rollcall._core.files import remove
from rollcall.graph.ingest.layouts import Layout
from rollcall.graph.ingest.records import RELATION_COLUMNS
from rollcall.graph.rows import RANKS_PER_SOURCE, GraphShard
from rollcall.input_files.file_source import SourceFile
from rollcall.tables.engine import Engine, Workbench
from rollcall.tables.files import write_scratch
from rollcall.tables.graph import (
    SHARD_TABLES,
    AliasRows,
    EntityRows,
    FactRows,
    SubclassRows,
    TypeRows,
    ValueRows,
)
from rollcall.tables.table import DeclaredTable, Int32, Rows, String, arrow, shaped, unbound
from rollcall.text.nouns import counted
from rollcall.text.words import fold

FOLDER = "settled"
"""Among the folders of shards."""
_REPLACED = "replaced.json"
_MOST, _FEW = 0.5, 0.25
"""A column refers to a table with this share of its values, and with less than the second one, equal
ids of entities with a class are chance."""
_LEAST_PREFIX = 4
_LABEL_RANK = 899_999_999
_ROWS_PER_PART = 200_000
_SHOWN = 3
_OWN: dict[str, str] = {"entities": "id", "aliases": "entity", "types": "entity", "values": "subject"}
"""The column with a table's own id in each table of its shards, besides the facts."""


class IdUses(DeclaredTable):
    """An id in a table or a column, once for each class."""

    id = EntityRows.id
    space = Int32("the number of the table or column")
    class_ = String("a class of the entity there; null if none is known")
    label = String("the folded label of the entity there; null if it has none")


class RenamedIds(DeclaredTable):
    """An id that means another entity in one table or column than elsewhere."""

    space = IdUses.space
    id = EntityRows.id
    renamed = String("what the entity is called")


class Space(NamedTuple):
    """A table or a column in which an id means one entity."""

    number: int
    source: int
    relation: str | None = None
    """The relation of a column; None for the ids of a table, empty for the objects of a file of facts."""
    class_: str = ""
    table: str = ""
    """The file to which the user says that it refers."""


class SettledIds(msgspec.Struct):
    """What was decided about equal ids."""

    remarks: dict[int, list[str]] = {}
    """By the number of a source: which of its columns were found to refer to which table."""
    warnings: list[str] = []
    """Which equal ids are kept apart, and how to say that they are one."""


def replaced_folders(shards: Path) -> dict[str, list[str]]:
    """For each table of shards, the folders of sources whose rows have been written again."""
    path = shards / FOLDER / _REPLACED
    return dict(json.loads(path.read_bytes())) if path.exists() else {}


def check_references(sources: Sequence[SourceFile]) -> None:
    """Refuse a column that is said to refer to a file that is not read."""
    names = [source.name for source in sources]
    for source in sources:
        layout = _layout(source)
        for _name, _class, table in layout.links if layout else ():
            if table and table not in names:
                raise RollcallError(f"--columns names {table}, and the files are {', '.join(names)}")


def settle_ids(
    sources: Sequence[SourceFile], folders: Sequence[Path], shards: Path, engine: Engine, scratch: Path
) -> SettledIds:
    """Decide which equal ids mean one entity, and write the rows of the others again, under new ids.

    `folders` has the shards of each source.
    """
    remove(shards / FOLDER)
    spaces = _spaces(sources)
    if not spaces:
        return SettledIds()
    out = shards / FOLDER / "0000" / "000"
    out.mkdir(parents=True)
    with engine.workbench(scratch) as bench:
        _name_tables(bench, spaces, folders)
        layouts = [_layout(source) for source in sources]
        with_classes = [folder for folder, layout in zip(folders, layouts, strict=True) if layout]
        files = sorted(file for folder in with_classes for file in _shard_files(folder, "subclasses"))
        bench.read(SubclassRows, files)
        bench.keep(IdUses, partial(_all_uses, spaces))
        bench.keep(IdUses, _shared_uses, _SHARED)
        decisions = _Decisions(spaces, sources, bench)
        _write_renamed(bench, decisions, out)
        renamed = {
            spaces[row["space"]].source
            for row in bench.records(lambda: unbound(RenamedIds).select("space").distinct())
        }
        replaced: dict[str, list[str]] = {}
        for source in sorted(renamed):
            _write_again(bench, [space for space in spaces if space.source == source], out)
            for table in (*_OWN, "facts"):
                replaced.setdefault(table, []).append(folders[source].name)
        for space in spaces:
            if space.class_:
                bench.write(
                    TypeRows, partial(_class_of_objects, space), out / f"types-c{space.number}.parquet"
                )
    (shards / FOLDER / _REPLACED).write_text(json.dumps(replaced))
    return decisions.settled()


def _layout(source: SourceFile) -> Layout | None:
    """The layout of a source with rows; None for other kinds of files."""
    layout = msgspec.json.decode(source.settings).get("layout")
    return None if layout is None else msgspec.convert(layout, Layout)


def _spaces(sources: Sequence[SourceFile]) -> list[Space]:
    """The tables and columns with ids of their own; none if no file has one thing a row.

    Tables come first, so that they keep their ids.
    """
    layouts = [_layout(source) for source in sources]
    tables = [number for number, layout in enumerate(layouts) if layout and layout.shape == "entities"]
    has_things = any(
        layout and (layout.links or any(column.startswith(_PREFIXES) for column in layout.columns))
        for layout in layouts
    )
    if not has_things:
        return []
    table_of = {
        index: table
        for index, layout in enumerate(layouts)
        for name, _class, table in (layout.links if layout else ())
        if name == "id"
    }
    spaces = [Space(number, index, table=table_of.get(index, "")) for number, index in enumerate(tables)]
    for index, layout in enumerate(layouts):
        for relation, class_, table in dict.fromkeys(layout.links) if layout else ():
            if relation != "id":
                spaces.append(Space(len(spaces), index, relation, class_, table))
    return spaces


_PREFIXES = tuple(f"{name}:" for name in RELATION_COLUMNS)
_SHARED = "shared_ids"


# -- the uses of ids ---------------------------------------------------------------------------------


def _name_tables(bench: Workbench, spaces: Sequence[Space], folders: Sequence[Path]) -> None:
    """Give the engine the shard tables of each source by themselves."""
    for source in sorted({space.source for space in spaces}):
        for table in (*_OWN, "facts"):
            bench.read(SHARD_TABLES[table], _shard_files(folders[source], table), _named(table, source))


def _shard_files(folder: Path, table: str) -> list[Path]:
    return sorted(folder.glob(f"*/*[0-9]/{table}-*.parquet"))


def _named(table: str, source: int) -> str:
    return f"{table}_of_{source}"


def _all_uses(spaces: Sequence[Space]) -> Rows[IdUses]:
    parts = [_uses_in_table(space) if space.relation is None else _uses_in_column(space) for space in spaces]
    return shaped(IdUses, ibis.union(*parts) if parts[1:] else parts[0])


def _uses_in_table(space: Space) -> Rows[IdUses]:
    rows = _described(space.source, nested=False)
    types = unbound(TypeRows, _named("types", space.source)).distinct()
    labels = rows.group_by("id").agg(label=_.folded.min())
    joined = labels.left_join(types, labels.id == types.entity)
    return shaped(IdUses, joined.mutate(space=ibis.literal(space.number, "int32")))


def _uses_in_column(space: Space) -> Rows[IdUses]:
    rows = unbound(FactRows, _named("facts", space.source))
    if space.relation:
        rows = rows.filter(rows.relation == space.relation)
    objects = rows.select(id="object").distinct()
    nested = _described(space.source, nested=True).group_by("id").agg(label=_.folded.min())
    nested = nested.rename(nested_id="id")
    joined = objects.left_join(nested, objects.id == nested.nested_id)
    class_ = ibis.literal(space.class_) if space.class_ else ibis.null("string")
    return shaped(IdUses, joined.mutate(space=ibis.literal(space.number, "int32"), **{"class": class_}))


def _described(source: int, *, nested: bool) -> Rows[EntityRows]:
    """The rows that describe entities: those of the table itself, or those of objects inside its rows."""
    rows = unbound(EntityRows, _named("entities", source))
    is_nested = rows["rank"] > source * RANKS_PER_SOURCE
    return rows.filter(is_nested if nested else ~is_nested)


def _shared_uses() -> Rows[IdUses]:
    rows = unbound(IdUses)
    spaces = rows.group_by("id").agg(spaces=_.space.nunique())
    return rows.semi_join(spaces.filter(_.spaces > 1), "id")


class _Use(NamedTuple):
    """What one table or column says of an id."""

    classes: frozenset[str]
    labels: frozenset[str]


_Group: TypeAlias = tuple[str, dict[int, _Use]]
"""An id, and what each of its tables and columns says of it."""


def _groups(bench: Workbench) -> Iterator[_Group]:
    def ordered() -> ir.Table:
        return unbound(IdUses, _SHARED).order_by(["id", "space"])

    rows = (row for batch in bench.stream(ordered) for row in batch.to_pylist())
    for id_, same_id in groupby(rows, key=lambda row: str(row["id"])):
        uses: dict[int, tuple[set[str], set[str]]] = {}
        for row in same_id:
            classes, labels = uses.setdefault(row["space"], (set(), set()))
            classes.update(filter(None, [row["class"]]))
            labels.update(filter(None, [row["label"]]))
        yield (
            id_,
            {space: _Use(frozenset(classes), frozenset(labels)) for space, (classes, labels) in uses.items()},
        )


# -- the decisions -----------------------------------------------------------------------------------


class _Entity:
    """One of the entities that an id means."""

    def __init__(self, space: int) -> None:
        self.first = space
        self.spaces: list[int] = []
        self.classes: set[str] = set()
        self.has_label = False

    def add(self, space: int, use: _Use) -> None:
        self.spaces.append(space)
        self.classes |= use.classes
        self.has_label = self.has_label or bool(use.labels)


class _Decisions:
    """Which tables describe the same entities, and to which tables columns refer."""

    def __init__(self, spaces: Sequence[Space], sources: Sequence[SourceFile], bench: Workbench) -> None:
        self.spaces = spaces
        self._names = [source.name for source in sources]
        self._above = _class_hierarchy(bench)
        self._sizes = {row["space"]: row["ids"] for row in bench.records(_sizes)}
        self._common = Counter[tuple[int, int]]()
        self._clashing = Counter[tuple[int, int]]()
        for id_, uses in _groups(bench):
            self._compare(id_, uses)
        self._joined = self._join_tables()
        self._table_of = {
            space.number: table
            for space in spaces
            if space.relation is not None and (table := self._referred(space)) is not None
        }
        self._apart: dict[tuple[int, int], tuple[int, str, str]] = {}

    def entities(self, id_: str, uses: dict[int, _Use]) -> list[_Entity]:
        """The entities that an id means, in the order of the tables and columns."""
        entities: list[_Entity] = []
        for number in sorted(uses):
            table = self._table_of.get(number)
            if self.spaces[number].relation is None:
                entity = next(
                    (known for known in entities if self._joined[known.first] == self._joined[number]), None
                )
            elif table is not None and table in uses:
                entity = next(known for known in entities if table in known.spaces)
            else:
                entity = next(
                    (known for known in entities if self._is_same(number, uses[number], known)), None
                )
            if entity is None:
                entity = _Entity(number)
                entities.append(entity)
            entity.add(number, uses[number])
        return entities

    def named(self, id_: str, entities: Sequence[_Entity]) -> list[str]:
        """What each of the entities of an id is called; the first keeps the id."""
        names = [id_]
        for entity in entities[1:]:
            words = [
                *sorted(entity.classes)[:1],
                self._heading(entity.first),
                self._names[self.spaces[entity.first].source],
            ]
            name = next((name for word in words if (name := f"{id_} ({word})") not in names), "")
            names.append(name or f"{id_} ({words[-1]}, {len(names)})")
            pair = (entities[0].first, entity.first)
            count, example, example_name = self._apart.get(pair, (0, id_, names[-1]))
            self._apart[pair] = (count + 1, example, example_name)
        return names

    def settled(self) -> SettledIds:
        """What was decided, in words."""
        settled = SettledIds(remarks={}, warnings=[])
        for number, table in self._table_of.items():
            space, target = self.spaces[number], self.spaces[table]
            if not space.table and space.relation:
                settled.remarks.setdefault(space.source, []).append(
                    f"took {space.relation} for ids of {self._names[target.source]} "
                    f"({self._common[number, table]:,} of {counted(self._sizes[number], 'value')})"
                )
        most = sorted(self._apart.items(), key=lambda item: (-item[1][0], item[0]))
        for (kept, renamed), (count, id_, name) in most[:_SHOWN]:
            settled.warnings.append(self._warning(kept, renamed, count, id_, name))
        if most[_SHOWN:]:
            others = sum(count for _pair, (count, _id, _name) in most[_SHOWN:])
            settled.warnings.append(f"{counted(others, 'more id')} of other columns are kept apart")
        return settled

    def _warning(self, kept: int, renamed: int, count: int, id_: str, name: str) -> str:
        space, first = self.spaces[renamed], self.spaces[kept]
        file = self._names[first.source]
        if space.relation is None:
            cure = f"id=…@{file}"
        elif first.relation is None:
            cure = f"object={space.relation or '…'}@{file}"
        else:
            cure = (
                f"object={first.class_}:{space.relation or '…'}"
                if first.class_
                else "the same class for both"
            )
        are = "is" if count == 1 else "are"
        return (
            f"{counted(count, 'id')} of {self._where(renamed)} {are} also in {self._where(kept)} and {are} "
            f"taken for something else: {id_!r} is called {name!r}; if they are the same, say so with "
            f"--columns {cure}"
        )

    def _where(self, number: int) -> str:
        space = self.spaces[number]
        file = self._names[space.source]
        return f"the column {space.relation} of {file}" if space.relation else file

    def _heading(self, number: int) -> str:
        space = self.spaces[number]
        return space.relation or PurePosixPath(self._names[space.source]).name.partition(".")[0]

    def _compare(self, id_: str, uses: dict[int, _Use]) -> None:
        """Count an id for each pair of its tables, and of its columns and tables."""
        tables = [number for number in sorted(uses) if self.spaces[number].relation is None]
        for number in sorted(uses):
            is_table = self.spaces[number].relation is None
            for table in tables:
                if table == number or (is_table and number < table):
                    continue
                self._common[number, table] += 1
                here, there = uses[number], uses[table]
                clash = self._classes_differ(here.classes, there.classes)
                if is_table and not clash:
                    named = bool(here.labels and there.labels)
                    clash = not here.labels & there.labels if named else id_.isdecimal()
                self._clashing[number, table] += clash

    def _join_tables(self) -> dict[int, int]:
        """For each table, the first of those that describe the same entities."""
        tables = [space for space in self.spaces if space.relation is None]
        joined = {space.number: space.number for space in tables}

        def join(number: int, other: int) -> None:
            first, second = sorted((joined[number], joined[other]))
            joined.update({table: first for table, group in joined.items() if group == second})

        for space in tables:
            for other in tables:
                pair = (space.number, other.number)
                is_said = bool(space.table) and self._names[other.source] == space.table
                common = self._common[pair]
                if is_said or (common and self._clashing[pair] <= _MOST * common):
                    join(*pair)
        return joined

    def _referred(self, space: Space) -> int | None:
        """The table to which a column refers: as the user says, or with most of its values."""
        tables = [table for table in self.spaces if table.relation is None]
        if space.table:
            return next(table.number for table in tables if self._names[table.source] == space.table)
        if not space.relation:
            return None
        ranked = []
        for table in tables:
            pair = (space.number, table.number)
            common = self._common[pair]
            if common < _MOST * self._sizes.get(space.number, 0) or not common:
                continue
            if self._clashing[pair] <= _MOST * common:
                is_named = _is_named_after(space.relation, self._heading(table.number))
                ranked.append((is_named, common / self._sizes[table.number], -table.number))
        return -max(ranked)[2] if ranked else None

    def _is_same(self, number: int, use: _Use, entity: _Entity) -> bool:
        """Whether a column that refers to no table with this id means an entity that has it."""
        if use.classes or not entity.classes:
            return not self._classes_differ(use.classes, entity.classes)
        tables = [table for table in entity.spaces if self.spaces[table].relation is None]
        return all(self._common[number, table] >= _FEW * self._sizes[number] for table in tables)

    def _classes_differ(self, some: frozenset[str] | set[str], others: frozenset[str] | set[str]) -> bool:
        if not some or not others:
            return False
        with_above, others_with_above = self._with_above(some), self._with_above(others)
        return not (with_above & set(map(fold, others)) or others_with_above & set(map(fold, some)))

    def _with_above(self, classes: frozenset[str] | set[str]) -> set[str]:
        """Classes and those above them, folded."""
        reached, waiting = set[str](), [fold(class_) for class_ in classes]
        while waiting:
            class_ = waiting.pop()
            if class_ not in reached:
                reached.add(class_)
                waiting.extend(self._above.get(class_, ()))
        return reached


def _is_named_after(heading: str, table: str) -> bool:
    """Whether a heading and the name of a file begin alike: `supplied by` and `suppliers`."""
    for word in fold(heading).split():
        for name in fold(table).split():
            alike = next(
                (i for i, (a, b) in enumerate(zip(word, name, strict=False)) if a != b),
                min(len(word), len(name)),
            )
            if alike >= _LEAST_PREFIX:
                return True
    return False


def _sizes() -> ir.Table:
    return unbound(IdUses).group_by("space").agg(ids=_.id.nunique())


def _class_hierarchy(bench: Workbench) -> dict[str, list[str]]:
    """The classes directly above each class, folded."""
    above: dict[str, list[str]] = defaultdict(list)
    for batch in bench.stream(lambda: unbound(SubclassRows)):
        for row in batch.to_pylist():
            above[fold(row["class"])].append(fold(row["parent"]))
    return above


# -- the rows under new ids ----------------------------------------------------------------------------


def _write_renamed(bench: Workbench, decisions: _Decisions, out: Path) -> None:
    """Name the renamed ids of each table and column, and label what has no label by its old id."""
    files: list[Path] = []
    columns: tuple[list[int], list[str], list[str]] = ([], [], [])
    shard = GraphShard(_LABEL_RANK)

    def write() -> None:
        path = out / f"renamed-{len(files)}"
        write_scratch(arrow(RenamedIds, dict(zip(("space", "id", "renamed"), columns, strict=True))), path)
        shard.write(out, _FIRST_PART + len(files))
        files.append(path)

    for id_, uses in _groups(bench):
        entities = decisions.entities(id_, uses)
        if len(entities) == 1:
            continue
        for entity, name in list(zip(entities, decisions.named(id_, entities), strict=True))[1:]:
            for space in entity.spaces:
                for column, value in zip(columns, (space, id_, name), strict=True):
                    column.append(value)  # type: ignore[attr-defined]
            if not entity.has_label:
                shard.entity(name, id_)
        if len(columns[0]) >= _ROWS_PER_PART:
            write()
            columns, shard = ([], [], []), GraphShard(_LABEL_RANK)
    if columns[0]:
        write()
    bench.read(RenamedIds, files)


_FIRST_PART = 1_000_000
"""The parts with labels come after those with the rows of sources."""


def _write_again(bench: Workbench, spaces: Sequence[Space], out: Path) -> None:
    """Write the rows of a source, with the new ids in the place of the old ones."""
    source = spaces[0].source
    own = next((space for space in spaces if space.relation is None), None)
    linked = [space for space in spaces if space.relation is not None]
    tables: list[tuple[type[DeclaredTable], str, Callable[[], ir.Table]]] = [
        (EntityRows, "entities", partial(_renamed_entities, source, own, linked)),
        (AliasRows, "aliases", partial(_renamed_rows, AliasRows, source, own)),
        (TypeRows, "types", partial(_renamed_rows, TypeRows, source, own)),
        (ValueRows, "values", partial(_renamed_rows, ValueRows, source, own)),
        (FactRows, "facts", partial(_renamed_facts, source, own, linked)),
    ]
    for table, name, query in tables:
        bench.write(table, query, out / f"{name}-{source}.parquet")


def _renames(space: Space | None) -> ir.Table:
    """The new ids of a table or a column."""
    rows = unbound(RenamedIds)
    of_space = rows.filter(rows.space == (-1 if space is None else space.number))
    return of_space.select(old="id", renamed="renamed").view()


def _with_new(rows: ir.Table, column: str, renames: ir.Table, *more: str) -> ir.Table:
    """Rows with the new ids in a column; `more` are further columns that must be equal."""
    conditions = [rows[column] == renames.old, *(rows[name] == renames[f"new_{name}"] for name in more)]
    joined = rows.left_join(renames, conditions)
    return joined.mutate(**{column: ibis.coalesce(joined.renamed, joined[column])}).select(list(rows.columns))


def _renamed_rows(table: type[DeclaredTable], source: int, own: Space | None) -> ir.Table:
    name = next(name for name, declared in SHARD_TABLES.items() if declared is table)
    return _with_new(unbound(table, _named(name, source)), _OWN[name], _renames(own))


def _renamed_entities(source: int, own: Space | None, linked: Sequence[Space]) -> ir.Table:
    described = _with_new(_described(source, nested=False), "id", _renames(own))
    nested = _described(source, nested=True)
    if not linked:
        return ibis.union(described, nested)
    uses = unbound(IdUses)
    uses = uses.filter(uses.space.isin([space.number for space in linked])).select("space", "id").distinct()
    renamed = unbound(RenamedIds).rename(old_space="space", old="id")
    joined = uses.left_join(renamed, [uses.space == renamed.old_space, uses.id == renamed.old])
    final = joined.select(used=joined.id, final=ibis.coalesce(joined.renamed, joined.id)).distinct().view()
    unused = nested.anti_join(final, nested.id == final.used)
    named = nested.join(final, nested.id == final.used)
    named = named.mutate(id=named.final).select(list(nested.columns))
    return ibis.union(described, unused.select(list(nested.columns)), named)


def _renamed_facts(source: int, own: Space | None, linked: Sequence[Space]) -> ir.Table:
    rows = _with_new(unbound(FactRows, _named("facts", source)), "subject", _renames(own)).view()
    if not linked:
        return rows
    if linked[0].relation == "":
        return _with_new(rows, "object", _renames(linked[0]))
    parts = [_renames(space).mutate(new_relation=ibis.literal(space.relation)) for space in linked]
    renames = ibis.union(*parts) if parts[1:] else parts[0]
    return _with_new(rows, "object", renames.view(), "relation")


def _class_of_objects(space: Space) -> Rows[TypeRows]:
    """The class that the user gives to what a column names."""
    uses, renames = unbound(IdUses), _renames(space)
    ids = uses.filter(uses.space == space.number).select("id").distinct()
    final = _with_new(ids, "id", renames)
    return shaped(
        TypeRows, final.select(entity="id").mutate(**{"class": ibis.literal(space.class_)}).distinct()
    )
