"""`rollcall show`: prints what is in a folder that Rollcall made; the manifest says what kind of folder it
is.
"""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, NamedTuple

import msgspec
import typer
from rich.table import Table
from rich.text import Text

from rollcall._core.console import Screen, say_json, styled
from rollcall._core.errors import RollcallError
from rollcall.cli.options import AsJson, writing
from rollcall.corpus.corpus import Corpus, Page, PageLink, PageTable
from rollcall.graph import Graph
from rollcall.graph.graph import EntityRecord
from rollcall.text.nouns import counted

if TYPE_CHECKING:
    from rollcall.graph.neighbourhood import Neighbourhood


@writing("picture", reads=["folder"])
def show(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="DIR", help="A folder made by `rollcall graph`, `corpus`, `build` or `import`."
        ),
    ],
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="[WHAT]",
            help="Name or id of an entity, a relation or a class of a graph; title, id or entity of a page; "
            "id of a question, or words of it. Without it, an overview.",
        ),
    ] = None,
    number: Annotated[
        int | None,
        typer.Option(
            "--number",
            "-n",
            min=1,
            help="How many to show: questions of each kind or with the given words, or classes, relations "
            "and facts of a graph.",
            show_default="1, 5 with the given words, or 20 of a graph",
        ),
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Also draw what is around the entity of a graph into an SVG file."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Print what is in a folder: an overview, or one thing in it.

    Of a graph: its classes and relations with examples, or what it says of an entity, a relation or a class.
    Of a corpus: its counts, or a page with its sentences, links and tables. Of a question set: questions with
    their answers and evidence.
    """
    if picture is not None and not (folder / "graph.json").exists():
        raise RollcallError("--picture draws an entity of a graph; name the folder of a graph")
    if folder.is_file():
        raise RollcallError(f"{folder}: is a file; `rollcall show` shows folders that Rollcall made")
    if not folder.is_dir():
        raise RollcallError(f"{folder}: no such folder")
    for manifest, show_folder in _SHOWN.items():
        if (folder / manifest).exists():
            show_folder(folder, what, as_json, number, picture)
            return
    known = ", ".join(_SHOWN)
    raise RollcallError(f"{folder}: nothing to show here (none of {known} in it)")


def _show_graph(
    folder: Path, name: str | None, as_json: bool, number: int | None, picture: Path | None
) -> None:
    pass  # folded

    show_graph(folder, name, as_json, number, picture)


def _show_corpus(folder: Path, page: str | None, as_json: bool, number: int | None, _: object) -> None:
    pass  # folded

    if number is not None:
        raise RollcallError("--number is for graphs and question sets, not for a corpus; leave it out")
    show_corpus(folder, page, as_json)


def _show_set(folder: Path, question: str | None, as_json: bool, number: int | None, _: object) -> None:
    from rollcall.cli.show_set import show_set

    show_set(folder, question, as_json, number)


_SHOWN: dict[str, Callable[[Path, str | None, bool, int | None, Path | None], None]] = {
    "graph.json": _show_graph,
    "corpus.json": _show_corpus,
    "questions.jsonl": _show_set,
}


# Prints a corpus for people: an overview, or one page with its sentences, links and tables.

_LISTED = 20
_ROWS = 50


def show_corpus(folder: Path, name: str | None, as_json: bool) -> None:
    """Print an overview, or the page of this name."""
    with Corpus.open(folder) as corpus:
        if name is None:
            _overview(corpus, as_json)
            return
        pages = corpus.find(name)
        if not pages:
            raise RollcallError(f"no page is called {name!r}; `rollcall show {folder}` lists some")
        if len(pages) > 1:
            listed = "; ".join(f"{page.title} ({page.id})" for page in pages[:8])
            raise RollcallError(f"{name!r} names {len(pages)} pages, use an id: {listed}")
        if as_json:
            say_json(_record(corpus, pages[0]))
        else:
            _print_page(corpus, pages[0])


def _overview(corpus: Corpus, as_json: bool) -> None:
    from rollcall.cli.corpus import print_summary

    if as_json:
        say_json(corpus.manifest)
        return
    print_summary(corpus)
    rows = corpus.tables.pages
    longest = rows.order_by([rows.sentences.desc(), rows.id]).limit(_LISTED).title.to_pyarrow().to_pylist()
    console = Screen()
    console.print("longest pages: " + "; ".join(longest), soft_wrap=True)


def _record(corpus: Corpus, page: Page) -> dict[str, object]:
    parts = {
        "sentences": corpus.sentences(page.id),
        "passages": corpus.passages(page.id),
        "links": corpus.links(page.id),
        "tables": corpus.page_tables(page.id),
    }
    return {**msgspec.to_builtins(page), **msgspec.to_builtins(parts)}


def _print_page(corpus: Corpus, page: Page) -> None:
    console = Screen(soft_wrap=True)
    tied = f"{page.entity} (by {page.tie})" if page.entity else "no entity"
    console.print(styled((page.title, "bold"), f"  page {page.id}, {tied}"))
    if page.disambiguation:
        console.print("lists namesakes (disambiguation)")
    links: dict[int | None, list[PageLink]] = {}
    for link in corpus.links(page.id):
        links.setdefault(link.sentence, []).append(link)
    section = ""
    for sentence in corpus.sentences(page.id):
        if sentence.section != section:
            section = sentence.section
            console.print()
            console.print(styled((f"== {section} ==", "bold")))
        text = _with_links(sentence.text, sentence.start, links.get(sentence.number, []))
        console.print(styled((f"{sentence.number:>4}", "dim"), "  ").append_text(text))
    passages = corpus.passages(page.id)
    spans = ", ".join(f"{passage.first}–{passage.last} ({passage.words} words)" for passage in passages)
    if passages:
        console.print()
        console.print(f"passages: sentences {spans}")
    _print_links(console, [link for found in links.values() for link in found])
    for table in corpus.page_tables(page.id):
        _print_table(console, table)


def _with_links(text: str, start: int, links: list[PageLink]) -> Text:
    """A sentence with its anchors underlined."""
    parts: list[str | tuple[str, str]] = []
    position = 0
    for link in links:
        if link.start is None or link.end is None or link.start - start < position:
            continue
        first, last = link.start - start, min(link.end - start, len(text))
        parts += [text[position:first], (text[first:last], "underline")]
        position = last
    return styled(*parts, text[position:])


def _print_links(console: Screen, links: list[PageLink]) -> None:
    if not links:
        return
    console.print()
    console.print(styled(("links", "bold")))
    for link in links:
        place = "   –" if link.sentence is None else f"{link.sentence:>4}"
        shown = f"{link.anchor} → {link.target}" if link.anchor not in (None, link.target) else link.target
        console.print(styled((place, "dim"), f"  {shown}" + (f"  {link.entity}" if link.entity else "")))


def _print_table(console: Screen, table: PageTable) -> None:
    named = " · ".join(part for part in (table.section, table.caption) if part)
    console.print()
    console.print(styled((f"table {table.number}", "bold"), f" {named}"))
    width = max([len(table.header), *(len(row) for row in table.rows)], default=0)
    shown = Table(show_header=bool(table.header))
    for column in range(width):
        shown.add_column(table.header[column] if table.header else "")
    for row in table.rows[:_ROWS]:
        shown.add_row(*(cell.text for cell in row))
    console.print(shown)
    if len(table.rows) > _ROWS:
        console.print(f"… and {len(table.rows) - _ROWS} more rows")


# Prints a graph for people: its classes and relations with examples, or what it says of one thing.

_LISTED_ENTITIES = 20
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
            _graph_overview(graph, as_json, number or _LISTED_ENTITIES)
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
        found["relation"] = _relation(graph, graph.resolve_relation(name), number or _LISTED_ENTITIES)
    with suppress(RollcallError):
        found["class"] = _class(graph, graph.resolve_class(name), number or _LISTED_ENTITIES)
    if found:
        return found
    if entities:
        listed = "; ".join(str(record) for record in entities[:_LISTED_ENTITIES])
        raise RollcallError(f"{name!r} names {len(entities)} entities, use an id: {listed}")
    raise RollcallError(
        f"no entity, relation or class is called {name!r}; `rollcall show {folder}` lists some"
    )


def _draw(found: dict[str, _Thing], name: str, picture: Path) -> None:
    from rollcall._core.files import replacing
    from rollcall.graph.neighbourhood import neighbourhood_svg

    around = found["entity"].around if "entity" in found else None
    if around is None:
        raise RollcallError(f"--picture draws what is around one entity, and none alone is called {name!r}")
    with replacing(picture) as partial:
        partial.write_text(neighbourhood_svg(around), encoding="utf-8")


# -- the whole graph -------------------------------------------------------------------------------------


def _graph_overview(graph: Graph, as_json: bool, most: int) -> None:
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
