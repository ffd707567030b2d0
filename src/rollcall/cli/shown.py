"""Prints a question set for people: questions with their answers, names, and evidence with marked names."""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from rich.table import Table
from rich.text import Text

from rollcall._core.console import Screen, say_json, styled
from rollcall._core.errors import RollcallError
from rollcall.corpus.corpus import Corpus, Page, PageLink, PageTable
from rollcall.graph import Graph
from rollcall.graph.graph import EntityRecord
from rollcall.questions.question_set import QuestionSet
from rollcall.questions.record import Answer, Evidence, Question
from rollcall.questions.splits import lot
from rollcall.questions.statistics import Statistics
from rollcall.text.names import whole_words
from rollcall.text.nouns import counted

if TYPE_CHECKING:
    from rollcall.graph.neighbourhood import EntityNeighbourhood


_ANSWERS = 12
_ALIASES = 6
_FOUND = 5
_NEUTRAL = 5
_REJECTED = 20


def show_set(
    folder: Path, what: str | None, as_json: bool, number: int | None, rejected: bool = False
) -> None:
    """Print some questions of every kind, or the requested ones: all as JSON, and a handful for people.

    With `rejected`, print the facts that no sentence states instead: those of neutral answers and, of a whole
    set whose build has left its stages, those of questions that were not kept.
    """
    questions = QuestionSet.open(folder)
    if rejected:
        from rollcall.build.make import WORK
        from rollcall.build.proving import rejected_evidence

        if what is None:
            _show_rejected(list(questions), rejected_evidence(folder / WORK), as_json, number)
        else:
            _show_rejected(_find(questions, what, folder), (), as_json, number)
        return
    chosen = _some_of_each_kind(questions, number or 1) if what is None else _find(questions, what, folder)
    if as_json:
        for question in chosen if what is None else chosen[:number]:
            say_json(msgspec.to_builtins(question))
        return
    console = Screen(soft_wrap=True)
    if what is None:
        _print_overview(console, questions, folder)
    printed = chosen if what is None else chosen[: number or _FOUND]
    for question in printed:
        print_question(console, question, whole=what is not None)
    if len(chosen) > len(printed):
        console.print(
            f"… and {len(chosen) - len(printed):,} more questions with these words; give more of them, "
            "or show more with --number"
        )


def _some_of_each_kind(questions: QuestionSet, number: int) -> list[Question]:
    kinds = Statistics(questions).kinds
    drawn = sorted(questions, key=lambda question: lot(0, "shown", question.id))
    return [
        question
        for kind in kinds
        for question in [candidate for candidate in drawn if (candidate.kind or "unknown") == kind][:number]
    ]


def _find(questions: QuestionSet, what: str, folder: Path) -> list[Question]:
    """The question with this id, or else all with these words."""
    for question in questions:
        if question.id == what:
            return [question]
    words = what.casefold()
    matching = [question for question in questions if words in question.question.casefold()]
    if not matching:
        raise RollcallError(f"{what!r}: no question of {folder} has this id or these words")
    return matching


def _print_overview(console: Screen, questions: QuestionSet, folder: Path) -> None:
    statistics = Statistics(questions)
    console.print(Text(str(folder), style="bold"))
    for kind in statistics.kinds:
        counts = [(split, statistics.figures(kind, [split])) for split in statistics.splits]
        shown = ", ".join(f"{figures.questions:,} {split}" for split, figures in counts if figures)
        console.print(f"  {kind}: {shown}")
    console.print(
        f"  {counted(statistics.answers, 'answer')}, {counted(statistics.evidence, 'piece')} of evidence"
    )
    console.print()


def print_question(console: Screen, question: Question, whole: bool) -> None:
    """Print a question; without `whole` only the first answers with one piece of evidence each."""
    console.print(Text(question.question or "(no text)", style="bold"))
    told = [question.id, question.kind or "", question.split or ""]
    console.print(Text("  " + " · ".join(part for part in told if part), style="dim"))
    if question.query is not None and question.query.text:
        console.print(Text(f"  {question.query.text}", style="dim"))
    if whole:
        for wording in question.wordings:
            console.print(Text(f"  also: {wording}"))
    topics = question.provenance.get("entities", [])
    names = [name for name in topics if isinstance(name, str)] if isinstance(topics, list) else []
    shown = question.answers if whole else question.answers[:_ANSWERS]
    for answer in shown:
        _print_answer(console, answer, names, whole)
    if len(question.answers) > len(shown):
        console.print(f"  … and {len(question.answers) - len(shown)} more answers")
    _print_neutral(console, question, whole)
    if question.extended:
        console.print(f"  found later, and kept apart: {len(question.extended)}")
        for answer in question.extended if whole else question.extended[:_ANSWERS]:
            _print_answer(console, answer, names, whole)
    console.print()


def _print_neutral(console: Screen, question: Question, whole: bool) -> None:
    """Print the neutral answers in grey, each with the reason."""
    shown = question.neutral if whole else question.neutral[:_NEUTRAL]
    if shown:
        console.print(Text("  neutral (neither required nor wrong):", style="dim"))
    for answer in shown:
        console.print(Text(f"  ◦ {answer.label}: {answer.reason}", style="dim"))
    if len(question.neutral) > len(shown):
        console.print(Text(f"  … and {len(question.neutral) - len(shown)} more neutral answers", style="dim"))


class RejectedFact(msgspec.Struct, omit_defaults=True):
    """A fact that no sentence states, and the sentence that comes nearest to it."""

    fact: str
    question: str = ""
    """The id of the question whose neutral answer needs it; empty if no question of the set does."""
    answer: str = ""
    nearest: Evidence | None = None

    @property
    def score(self) -> float:
        """The score of the nearest sentence; facts without a sentence come last."""
        return -1.0 if self.nearest is None else self.nearest.score or 0.0


def _show_rejected(
    questions: list[Question], others: Iterable[Evidence], as_json: bool, number: int | None
) -> None:
    """Print the facts that no sentence states, those that come nearest to being stated first."""
    by_fact: dict[str, RejectedFact] = {}
    for question in questions:
        for answer in question.neutral:
            if answer.unproved:
                fact = RejectedFact(answer.unproved, question.id, answer.label, answer.nearest)
                by_fact.setdefault(fact.fact, fact)
    proved = {
        piece.fact for question in questions for answer in question.answers for piece in answer.evidence
    }
    for piece in others:
        if piece.fact is not None and piece.fact not in proved:
            by_fact.setdefault(piece.fact, RejectedFact(piece.fact, nearest=piece))
    distinct = sorted(by_fact.values(), key=lambda fact: -fact.score)
    if as_json:
        for fact in distinct[:number]:
            say_json(msgspec.to_builtins(fact))
        return
    console = Screen(soft_wrap=True)
    if not distinct:
        console.print(
            "no fact of these questions was rejected: all their answers count, or others are left out"
        )
        return
    texts = {question.id: question.question for question in questions}
    for fact in distinct[: number or _REJECTED]:
        console.print(Text(fact.fact, style="bold"))
        about = (
            f"{fact.answer} · {texts[fact.question]}" if fact.question else "needed by no question of the set"
        )
        console.print(Text(f"  {about}", style="dim"))
        if fact.nearest is None:
            console.print(Text("      no sentence names both ends", style="dim"))
            continue
        text = Text(f"      {fact.nearest.title}: " if fact.nearest.title else "      ", style="dim")
        text.append_text(marked(fact.nearest.text, [fact.answer] if fact.answer else [], ()))
        text.append("" if fact.nearest.score is None else f"  [{fact.nearest.score:.2f}]", style="dim")
        console.print(text)
    unnamed = sum(fact.nearest is None for fact in distinct)
    console.print(
        f"{counted(len(distinct), 'rejected fact')}: {len(distinct) - unnamed:,} with a sentence that names "
        f"both ends, {unnamed:,} without; --number shows more, --json all"
    )


def _print_answer(console: Screen, answer: Answer, topics: Iterable[str], whole: bool) -> None:
    line = Text("  • ")
    line.append(answer.label, style="bold green")
    if answer.id and answer.id != answer.label:
        line.append(f" ({answer.id})", style="dim")
    aliases = [alias for alias in answer.aliases if alias != answer.label]
    if aliases:
        more = "" if whole or len(aliases) <= _ALIASES else " …"
        line.append(f"  also {', '.join(aliases if whole else aliases[:_ALIASES])}{more}")
    console.print(line)
    for piece in answer.evidence:
        text = Text(f"      {piece.title}: " if piece.title else "      ", style="dim")
        text.append_text(marked(piece.text, [answer.label, *answer.aliases], topics))
        text.append("  [not verified]" if piece.score is None else f"  [{piece.score:.2f}]", style="dim")
        console.print(text)


def marked(sentence: str, answer_names: Iterable[str], topics: Iterable[str]) -> Text:
    """A sentence in which the answer's names are green and the question's entities yellow."""
    text = Text(" ".join(sentence.split()), style="default")
    for names, style in ((topics, "bold yellow"), (answer_names, "bold green")):
        for name in names:
            for start, end in whole_words(text.plain, name):
                text.stylize(style, start, end)
    return text


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
    from rollcall.cli.inputs import print_corpus_summary

    if as_json:
        say_json(corpus.manifest)
        return
    print_corpus_summary(corpus)
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
    _print_links(console, [link for listed in links.values() for link in listed])
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
        number = "   –" if link.sentence is None else f"{link.sentence:>4}"
        shown = f"{link.anchor} → {link.target}" if link.anchor not in (None, link.target) else link.target
        console.print(styled((number, "dim"), f"  {shown}" + (f"  {link.entity}" if link.entity else "")))


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
        things = _found(graph, name, folder, number)
        if picture is not None:
            _draw(things, name, picture)
        if as_json:
            say_json({kind: thing.record for kind, thing in things.items()})
            return
        console = Screen(soft_wrap=True)
        for thing in things.values():
            for line in thing.lines:
                console.print(line)


class _Thing(NamedTuple):
    """What a graph says of one thing: a record for JSON, and lines for people."""

    record: dict[str, object]
    lines: list[Text]
    around: "EntityNeighbourhood | None" = None


def _found(graph: Graph, name: str, folder: Path, number: int | None) -> dict[str, _Thing]:
    """The entity, the relation and the class of a name, as far as there are any."""
    things: dict[str, _Thing] = {}
    entities = graph.find(name)
    if len(entities) == 1:
        things["entity"] = _entity(graph, entities[0], number or _ENDS)
    with suppress(RollcallError):
        things["relation"] = _relation(graph, graph.resolve_relation(name), number or _LISTED_ENTITIES)
    with suppress(RollcallError):
        things["class"] = _class(graph, graph.resolve_class(name), number or _LISTED_ENTITIES)
    if things:
        return things
    if entities:
        listed = "; ".join(str(record) for record in entities[:_LISTED_ENTITIES])
        raise RollcallError(f"{name!r} names {len(entities)} entities, use an id: {listed}")
    raise RollcallError(
        f"no entity, relation or class is called {name!r}; `rollcall show {folder}` lists some"
    )


def _draw(things: dict[str, _Thing], name: str, picture: Path) -> None:
    from rollcall._core.files import replacing
    from rollcall.graph.neighbourhood import neighbourhood_svg

    around = things["entity"].around if "entity" in things else None
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
        for row in classes:
            examples = "; ".join(map(str, row["examples"]))  # type: ignore[call-overload]
            own = "" if row["id"] == row["label"] else f" ({row['id']})"
            table.add_row(f"{row['label']}{own}", f"{row['entities']:,}", examples)
        console.print(table)
    if relations:
        table = Table(title=_title("relations", len(relations), counts["relations"]), title_justify="left")
        for heading in ("relation", "from", "to", "facts", "values", "such as"):
            table.add_column(heading, justify="right" if heading in ("facts", "values") else "left")
        for row in relations:
            table.add_row(
                *(str(row[key]) for key in ("label", "from", "to")),
                *(f"{row[key]:,}" for key in ("facts", "values")),
                str(row["example"]),
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
            "examples": [_name(graph, int(member)) for member in graph.index.members(row["id"])[:_EXAMPLES]],
        }
        for row in largest
    ]


def _relations(graph: Graph, most: int) -> list[dict[str, object]]:
    from rollcall.wording.ends import EndNouns

    rows, ends = graph.tables.relations, EndNouns(graph)
    sizes = (rows.facts + rows["values"]).desc()
    largest = rows.order_by([sizes, rows.id]).limit(most).to_pyarrow().to_pylist()
    records: list[dict[str, object]] = []
    for row in largest:
        number = graph.index.relation_number(row["id"])
        assert number is not None
        subjects, objects = graph.index.forward(number)
        nouns = ends.of(row["id"])
        records.append(
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
    return records


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
        lines.append(styled(f"  is a {', a '.join(graph.class_label(class_) for class_ in record.types)}"))
    for spoke in around.spokes:
        ends = ", ".join(neighbour.label for neighbour in spoke.neighbours)
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
        (_name(graph, int(subject)), _name(graph, int(object_)))
        for subject, object_ in zip(subjects[:most], objects[:most], strict=True)
    ]
    label, aliases = graph.relation_label(relation), index.relation_aliases[number]
    lines = [_heading(label, f"relation {relation}, {counted(len(subjects), 'fact')}")]
    if aliases:
        lines.append(styled(f"  also {', '.join(aliases)}"))
    lines += [styled(f"  {subject} → {object_}") for subject, object_ in pairs]
    lines += [styled(*_more(len(subjects) - most, "  "))] if len(subjects) > most else []
    told = {"id": relation, "label": label, "aliases": aliases, "count": len(subjects), "facts": pairs}
    return _Thing(told, lines)


def _class(graph: Graph, class_: str, most: int) -> _Thing:
    """Some members of a class."""
    members = graph.index.members(class_)
    names = [_name(graph, int(member)) for member in members[:most]]
    label = graph.class_label(class_)
    lines = [_heading(label, f"class {class_}, {counted(len(members), 'entity', 'entities')}")]
    lines += [styled(f"  {name}") for name in names]
    lines += [styled(*_more(len(members) - most, "  "))] if len(members) > most else []
    return _Thing({"id": class_, "label": label, "entities": len(members), "examples": names}, lines)


def _heading(label: str, more: str) -> Text:
    return styled((label, "bold"), (f"  {more}" if more else "", "dim"))


def _more(count: int, before: str) -> list[str]:
    return [f"{before}… and {count:,} more"] if count > 0 else []
