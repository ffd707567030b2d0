"""The third stage: all runs are scored by Rollcall, and the tables are written beside the papers' figures."""

from collections.abc import Mapping, Sequence
from importlib.resources import files as resources
from pathlib import Path

import msgspec

from paper_tables import names
from paper_tables.declared import BY_KIND, NAMED, TABLES
from paper_tables.place import Data, Place
from paper_tables.plain_rows import PlainRows
from paper_tables.render import by_kind, judgements, markdown, rendered
from paper_tables.speed import Speed
from paper_tables.unseen import spread
from rollcall.questions import Question
from rollcall.questions.run import Run
from rollcall.score.comparison import letter

Published = dict[str, dict[str, str]]


def tables(place: Place, llm: str | None, model: str | None, peak: float | None) -> str:
    """Run what needs no network, and write all tables."""
    data = place.data
    plain = PlainRows(place, data)
    plain.run()
    if llm and model:
        plain.ask_model(llm, model)
    elif llm or model:
        raise SystemExit("a language model needs --llm and --llm-model")
    published = _published()
    lines = [f"# Systems that learn: {data.name}, profile {data.profile}", "", *_sizes(data), ""]
    for table in TABLES:
        source = data.sources[data.learn[0] if table.split == "dev" else data.test]
        gold = names.questions_of(source.sets[table.set], (table.split,))
        if table.split == "dev":
            gold = spread(gold, data.asked)
        files = _files(place, table.split)
        lines += rendered(table, gold, files, published.get(table.key, {}))
        if table.key == "qampari-4":
            lines += by_kind(BY_KIND, gold, files, published["qampari-7"])
    lines += _named(place, data, published)
    lines += _costs(place)
    lines += _speeds(place, peak)
    return "\n".join(lines)


def _published() -> Published:
    content = resources("paper_tables").joinpath("published.json").read_bytes()
    return msgspec.json.decode(content, type=Published)


def _files(place: Place, split: str) -> dict[str, Path]:
    """All runs of a split by the names of their rows; of retrieval, those with texts."""
    ending = f".{split}.jsonl"
    found = [*place.runs.glob(f"*{ending}"), *place.shown.glob(f"*{ending}")]
    return {one.name.removesuffix(ending): one for one in found}


def _sizes(data: Data) -> list[str]:
    lines = []
    for number, source in enumerate(data.sources):
        for kind, folder in source.sets.items():
            questions = names.questions_of(folder)
            splits = [sum(one.split == split for one in questions) for split in ("train", "dev", "test")]
            role = "learned" if number in data.learn else ""
            role += (" and " if role else "") + "tested" if number == data.test else ""
            lines.append([str(number), role, kind, *map(str, splits)])
    return markdown(["source", "", "set", "train", "dev", "test"], lines)


def _named(place: Place, data: Data, published: Published) -> list[str]:
    """The tables of "What's in a Name?"."""
    source, files = data.sources[data.test], _files(place, "test")
    graph = names.questions_of(source.sets["single"], ("test",))
    single = names.with_one_name(graph)
    pages = names.with_names(graph, names.page_names(source.corpus))
    golds = {"one name": single, "pages' names": pages, "the graph's names": graph}
    rows = {name: (label, Run.open(files[name])) for name, label in NAMED if name in files}
    two = {gold: golds[gold] for gold in ("one name", "the graph's names")}
    return [
        f"## What's in a Name, Table 2: one name or more ({len(graph)} questions)",
        "",
        *_matrix({name: rows[name] for name in rows if name != "names-pages"}, two, published["names-2"]),
        "",
        "## What's in a Name, Table 3: names of pages or of the graph",
        "",
        *_matrix(rows, golds, published["names-3"]),
        "",
        f"{_names_each(graph):.1f} names an answer in the graph, {_names_each(pages):.1f} by pages.",
        "",
    ]


def _matrix(
    rows: Mapping[str, tuple[str, Run]], golds: Mapping[str, Sequence[Question]], paper: Mapping[str, str]
) -> list[str]:
    """Exact match: a row for each training, a column for the names that count as right."""
    runs = [run for _, run in rows.values()]
    columns = [judgements(gold, runs, "EM", profile="nq") for gold in golds.values()]
    lines = [
        [letter(place), label, *(column[place] for column in columns), paper.get(name, "")]
        for place, (name, (label, _)) in enumerate(rows.items())
    ]
    return markdown(["", "EM, trained with", *(f"scored by {gold}" for gold in golds), "paper"], lines)


def _names_each(gold: Sequence[Question]) -> float:
    answers = [answer for one in gold for answer in one.answers]
    return sum(1 + len(answer.aliases) for answer in answers) / max(len(answers), 1)


def _costs(place: Place) -> list[str]:
    """What verification costs, for each question."""
    lines = []
    for name, file in sorted(_files(place, "test").items()):
        costs: list[Mapping[str, int]] = [one.cost for one in Run.open(file) if one.cost]
        if costs:
            kinds = list(dict.fromkeys(kind for one in costs for kind in one))
            each = (f"{kind} {sum(one.get(kind, 0) for one in costs) / len(costs):.1f}" for kind in kinds)
            lines.append([name, ", ".join(each)])
    return ["## Cost of verification", "", *markdown(["system", "each question"], lines), ""]


def _speeds(place: Place, peak: float | None) -> list[str]:
    lines = []
    for file in sorted(place.speeds.glob("*.json")):
        speed = msgspec.json.decode(file.read_bytes(), type=Speed)
        learning, reading = speed.shares(peak)
        rates = [f"{one:,.0f}" if one else "–" for one in (speed.training_tokens, speed.inputs)]
        shares = ["–" if one is None else f"{one:.1%}" for one in (learning, reading)]
        row = [file.stem, f"{speed.trained_seconds:,.0f}", rates[0], shares[0], rates[1], shares[1]]
        lines.append(row)
    headings = ["system", "seconds of training", "tokens/s", "of the peak", "inputs/s read", "of the peak"]
    return ["## Speed", "", *markdown(headings, lines), ""]
