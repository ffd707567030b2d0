"""Prints a graph for people: its classes and relations with examples, or what it says of one thing."""

from contextlib import suppress
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from rich.table import Table
from rich.text import Text

from rollcall.english.counting import counted
from rollcall.errors import RollcallError
from rollcall.graph import Graph
from rollcall.graph.graph import EntityRecord
from rollcall.screen import Screen, styled
from rollcall.terminal import say_json

if TYPE_CHECKING:
    from rollcall.graph.neighbourhood import Neighbourhood

_LISTED = 20
_EXAMPLES = 3
_ENDS = 8


def show_graph(
    folder: Path, name: str | None, as_json: bool, number: int | None, picture: Path | None
) -> None:
    """Print an overview, or what the graph says of the entity, the relation and the class of this name."""
    with Graph.open(folder) as graph:
        if name is None:
            if picture is not None:
                raise RollcallError("--picture draws what is around one entity; name the entity")
            _overview(graph, as_json, number or _LISTED)
            return
        found = _found(graph, name, folder, number)
        if picture is not None:
            _draw(found, name, picture)
        if as_json:
            say_json({kind: thing.record for kind, thing in found.items()})
            return
        console = Screen(soft_wrap=True)
        for thing in found.values():
            for line in thing.lines:
                console.print(line)


class _Thing(NamedTuple):
    """What a graph says of one thing: a record for JSON, and lines for people."""

    record: dict[str, object]
    lines: list[Text]
    around: "Neighbourhood | None" = None


def _found(graph: Graph, name: str, folder: Path, number: int | None) -> dict[str, _Thing]:
    """The entity, the relation and the class of a name, as far as there are any."""
    found: dict[str, _Thing] = {}
    entities = graph.find(name)
    if len(entities) == 1:
        found["entity"] = _entity(graph, entities[0], number or _ENDS)
    with suppress(RollcallError):
        found["relation"] = _relation(graph, graph.resolve_relation(name), number or _LISTED)
    with suppress(RollcallError):
        found["class"] = _class(graph, graph.resolve_class(name), number or _LISTED)
    if found:
        return found
    if entities:
        listed = "; ".join(str(record) for record in entities[:_LISTED])
        raise RollcallError(f"{name!r} names {len(entities)} entities, use an id: {listed}")
    raise RollcallError(
        f"no entity, relation or class is called {name!r}; `rollcall show {folder}` lists some"
    )


def _draw(found: dict[str, _Thing], name: str, picture: Path) -> None:
    from rollcall.files import replacing
    from rollcall.graph.neighbourhood_picture import neighbourhood_svg

    around = found["entity"].around if "entity" in found else None
    if around is None:
        raise RollcallError(f"--picture draws what is around one entity, and none alone is called {name!r}")
    with replacing(picture) as partial:
        partial.write_text(neighbourhood_svg(around), encoding="utf-8")


# -- the whole graph -------------------------------------------------------------------------------------


def _overview(graph: Graph, as_json: bool, most: int) -> None:
    classes, relations = _classes(graph, most), _relations(graph, most)
    counts = graph.manifest["counts"]
    if as_json:
        say_json({**graph.manifest, "classes": classes, "relations": relations})
        return
    console = Screen()
    console.print(styled((str(graph.folder), "bold")), soft_wrap=True)
    size = sum(path.stat().st_size for path in graph.folder.rglob("*") if path.is_file())
    told = [f"{counts[name]:,} {name}" for name in ("entities", "facts", "values", "relations", "classes")]
    console.print(
        f"{', '.join(told)}, {counted(counts['aliases'], 'alias', 'aliases')}; {_size(size)} on disk"
    )
    if classes:
        table = Table(title=_title("classes", len(classes), counts["classes"]), title_justify="left")
        for heading in ("class", "entities", "such as"):
            table.add_column(heading, justify="right" if heading == "entities" else "left")
        for one in classes:
            examples = "; ".join(map(str, one["examples"]))  # type: ignore[call-overload]
            own = "" if one["id"] == one["label"] else f" ({one['id']})"
            table.add_row(f"{one['label']}{own}", f"{one['entities']:,}", examples)
        console.print(table)
    if relations:
        table = Table(title=_title("relations", len(relations), counts["relations"]), title_justify="left")
        for heading in ("relation", "from", "to", "facts", "values", "such as"):
            table.add_column(heading, justify="right" if heading in ("facts", "values") else "left")
        for one in relations:
            table.add_row(
                *(str(one[key]) for key in ("label", "from", "to")),
                *(f"{one[key]:,}" for key in ("facts", "values")),
                str(one["example"]),
            )
        console.print(table)
    if example := _example(graph):
        console.print(f"one entity: rollcall show {graph.folder} {quote(example)}", soft_wrap=True)


def _size(size: int) -> str:
    return f"{size / 1e6:,.1f} MB" if size >= 1e6 else f"{size / 1e3:,.0f} kB"


def _title(what: str, shown: int, count: int) -> str:
    return f"{what}" if shown == count else f"{what}: the {shown} largest of {count:,}; -n shows more"


def _classes(graph: Graph, most: int) -> list[dict[str, object]]:
    rows = graph.tables.classes
    largest = rows.order_by([rows.entities.desc(), rows.id]).limit(most).to_pyarrow().to_pylist()
    return [
        {
            "id": row["id"],
            "label": row["label"] or row["id"],
            "entities": row["entities"],
            "examples": [_name(graph, int(one)) for one in graph.index.members(row["id"])[:_EXAMPLES]],
        }
        for row in largest
    ]


def _relations(graph: Graph, most: int) -> list[dict[str, object]]:
    from rollcall.wording.ends import EndNouns

    rows, ends = graph.tables.relations, EndNouns(graph)
    sizes = (rows.facts + rows["values"]).desc()
    largest = rows.order_by([sizes, rows.id]).limit(most).to_pyarrow().to_pylist()
    found: list[dict[str, object]] = []
    for row in largest:
        number = graph.index.relation_number(row["id"])
        assert number is not None
        subjects, objects = graph.index.forward(number)
        nouns = ends.of(row["id"])
        found.append(
            {
                "id": row["id"],
                "label": row["label"] or row["id"],
                "from": nouns.subjects,
                "to": nouns.objects,
                "facts": row["facts"],
                "values": row["values"],
                "example": f"{_name(graph, int(subjects[0]))} → {_name(graph, int(objects[0]))}",
            }
        )
    return found


def _example(graph: Graph) -> str | None:
    """The id of an entity with facts."""
    index = graph.index
    if not len(index.relation_ids):
        return None
    largest = max(range(len(index.relation_ids)), key=lambda number: len(index.forward(number)[0]))
    return index.entity_ids[int(index.forward(largest)[0][0])]


def _name(graph: Graph, term: int) -> str:
    index = graph.index
    if term >= index.entity_count:
        return str(index.value(term))
    return index.entity_labels[term] or index.entity_ids[term]


# -- one entity, relation or class -----------------------------------------------------------------------


def _entity(graph: Graph, record: EntityRecord, most: int) -> _Thing:
    from rollcall.graph.neighbourhood import neighbourhood

    around = neighbourhood(graph, record.id, most)
    lines = [_heading(around.label, record.id if record.id != around.label else "")]
    if record.description:
        lines.append(styled(f"  {record.description}"))
    if record.aliases:
        lines.append(styled(f"  also {', '.join(record.aliases)}"))
    if record.types:
        lines.append(styled(f"  is a {', a '.join(graph.class_label(one) for one in record.types)}"))
    for spoke in around.spokes:
        ends = ", ".join(one.label for one in spoke.neighbours)
        arrow = f"  ── {spoke.label} → " if spoke.outgoing else f"  ←─ {spoke.label} ── "
        lines.append(styled((arrow, "dim"), ends, *_more(spoke.count - len(spoke.neighbours), " ")))
    told = {**msgspec.to_builtins(record), "relations": msgspec.to_builtins(around.spokes)}
    return _Thing(told, lines, around)


def _relation(graph: Graph, relation: str, most: int) -> _Thing:
    """Some facts of a relation."""
    index = graph.index
    number = index.relation_number(relation)
    assert number is not None
    subjects, objects = index.forward(number)
    pairs = [
        (_name(graph, int(one)), _name(graph, int(other)))
        for one, other in zip(subjects[:most], objects[:most], strict=True)
    ]
    label, aliases = graph.relation_label(relation), index.relation_aliases[number]
    lines = [_heading(label, f"relation {relation}, {counted(len(subjects), 'fact')}")]
    if aliases:
        lines.append(styled(f"  also {', '.join(aliases)}"))
    lines += [styled(f"  {one} → {other}") for one, other in pairs]
    lines += [styled(*_more(len(subjects) - most, "  "))] if len(subjects) > most else []
    told = {"id": relation, "label": label, "aliases": aliases, "count": len(subjects), "facts": pairs}
    return _Thing(told, lines)


def _class(graph: Graph, class_: str, most: int) -> _Thing:
    """Some members of a class."""
    members = graph.index.members(class_)
    names = [_name(graph, int(one)) for one in members[:most]]
    label = graph.class_label(class_)
    lines = [_heading(label, f"class {class_}, {counted(len(members), 'entity', 'entities')}")]
    lines += [styled(f"  {name}") for name in names]
    lines += [styled(*_more(len(members) - most, "  "))] if len(members) > most else []
    return _Thing({"id": class_, "label": label, "entities": len(members), "examples": names}, lines)


def _heading(label: str, more: str) -> Text:
    return styled((label, "bold"), (f"  {more}" if more else "", "dim"))


def _more(count: int, before: str) -> list[str]:
    return [f"{before}… and {count:,} more"] if count > 0 else []
