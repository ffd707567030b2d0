"""Scoring: what needs no network is run, all runs are scored by Rollcall, and the tables are written.

- `tables`: all tables in Markdown, beside the papers' own figures.
- `PlainRows`: the rows that need no network, or only the scores of one.
- `rendered`, `judgements`, `markdown`: figures in percent with their 95 % intervals, and letters. A letter
  names a row; the letters after a row's figure are those of the rows that it beats significantly.
"""

from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec

from rollcall._core.errors import RollcallError
from rollcall.papers.tables.data import (
    DEPTH,
    TableData,
    WorkFolder,
    page_names,
    questions_of,
    spread,
    with_names,
    with_one_name,
)
from rollcall.papers.tables.declared import BY_KIND, NAMED, PARTS, SIZES, TABLES, PaperTable
from rollcall.papers.tables.learning import RowSpeed
from rollcall.questions import Question
from rollcall.questions.run import Passage, Prediction, Run
from rollcall.score import Measure, compare, score
from rollcall.score.comparison import letter
from rollcall.score.figures import FigureValue
from rollcall.score.options import GoldSetting
from rollcall.systems import Context
from rollcall.systems.retrieve.dense import fused
from rollcall.systems.retrieve.learned import is_packaged
from rollcall.systems.train.verb import train
from rollcall.systems.verbs import retrieve, run

PaperFigures = dict[str, dict[str, str]]
"""The figures of the papers, by table and row."""
LEGEND = (
    "Percent, with 95 % intervals. Letters name the rows that are significantly worse by {main} "
    "(permutation test, Holm's correction, p < 0.05)."
)


def tables(work: WorkFolder, llm: str | None, model: str | None, peak: float | None) -> str:
    """Run what needs no network, and write all tables.

    `llm` is the address of a language model's server and `model` its name there; `peak` is that of the device
    that learned, in TFLOP/s.
    """
    data = work.data
    plain = PlainRows(work, data)
    plain.run()
    if llm and model:
        plain.ask_model(llm, model)
    elif llm or model:
        raise RollcallError("a language model needs --llm and --llm-model")
    published = msgspec.json.decode(
        files("rollcall.papers.tables").joinpath("published.json").read_bytes(), type=PaperFigures
    )
    lines = [f"# Systems that learn: {data.name}, profile {data.profile}", "", *_set_sizes(data), ""]
    for table in TABLES:
        source = data.sources[data.learn[0] if table.split == "dev" else data.test]
        gold = questions_of(source.sets[table.set], (table.split,))
        if table.split == "dev":
            gold = spread(gold, data.asked)
        runs = _runs(work, table.split)
        lines += rendered(table, gold, runs, published.get(table.key, {}))
        if table.key == "qampari-4":
            lines += by_kind(BY_KIND, gold, runs, published["qampari-7"])
    lines += _named(work, data, published)
    lines += _costs(work)
    lines += _speeds(work, peak)
    return "\n".join(lines)


def _runs(work: WorkFolder, split: str) -> dict[str, Path]:
    """All runs of a split by the names of their rows; of retrieval, those with texts."""
    ending = f".{split}.jsonl"
    paths = [*work.runs.glob(f"*{ending}"), *work.shown.glob(f"*{ending}")]
    return {path.name.removesuffix(ending): path for path in paths}


def _set_sizes(data: TableData) -> list[str]:
    lines = []
    for number, source in enumerate(data.sources):
        for kind, folder in source.sets.items():
            questions = questions_of(folder)
            counts = [
                sum(question.split == split for question in questions) for split in ("train", "dev", "test")
            ]
            role = "learned" if number in data.learn else ""
            role += (" and " if role else "") + "tested" if number == data.test else ""
            lines.append([str(number), role, kind, *map(str, counts)])
    return markdown(["source", "", "set", "train", "dev", "test"], lines)


def _named(work: WorkFolder, data: TableData, published: PaperFigures) -> list[str]:
    """The tables of "What's in a Name?"."""
    source, runs = data.sources[data.test], _runs(work, "test")
    graph = questions_of(source.sets["single"], ("test",))
    pages = with_names(graph, page_names(source.corpus))
    golds = {"one name": with_one_name(graph), "pages' names": pages, "the graph's names": graph}
    rows = {name: (label, Run.open(runs[name])) for name, label in NAMED if name in runs}
    one_or_more = {gold: golds[gold] for gold in ("one name", "the graph's names")}
    without_pages = {name: row for name, row in rows.items() if name != "names-pages"}
    return [
        f"## What's in a Name, Table 2: one name or more ({len(graph)} questions)",
        "",
        *_matrix(without_pages, one_or_more, published["names-2"]),
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
    runs = [run_ for _, run_ in rows.values()]
    columns = [judgements(gold, runs, "EM", profile="nq") for gold in golds.values()]
    lines = [
        [letter(number), label, *(column[number] for column in columns), paper.get(name, "")]
        for number, (name, (label, _)) in enumerate(rows.items())
    ]
    return markdown(["", "EM, trained with", *(f"scored by {gold}" for gold in golds), "paper"], lines)


def _names_each(gold: Sequence[Question]) -> float:
    answers = [answer for question in gold for answer in question.answers]
    return sum(1 + len(answer.aliases) for answer in answers) / max(len(answers), 1)


def _costs(work: WorkFolder) -> list[str]:
    """What verification costs, for each question."""
    lines = []
    for name, file in sorted(_runs(work, "test").items()):
        costs = [prediction.cost for prediction in Run.open(file) if prediction.cost]
        if costs:
            kinds = list(dict.fromkeys(kind for cost in costs for kind in cost))
            each = (f"{kind} {sum(cost.get(kind, 0) for cost in costs) / len(costs):.1f}" for kind in kinds)
            lines.append([name, ", ".join(each)])
    return ["## Cost of verification", "", *markdown(["system", "each question"], lines), ""]


def _speeds(work: WorkFolder, peak: float | None) -> list[str]:
    lines = []
    for file in sorted(work.speeds.glob("*.json")):
        speed = msgspec.json.decode(file.read_bytes(), type=RowSpeed)
        rates = [f"{rate:,.0f}" if rate else "–" for rate in (speed.training_tokens, speed.inputs)]
        shares = ["–" if share is None else f"{share:.1%}" for share in speed.shares(peak)]
        lines.append([file.stem, f"{speed.trained_seconds:,.0f}", rates[0], shares[0], rates[1], shares[1]])
    headings = ["system", "seconds of training", "tokens/s", "of the peak", "inputs/s read", "of the peak"]
    return ["## Speed", "", *markdown(headings, lines), ""]


# Tables in Markdown.


def rendered(
    table: PaperTable, gold: Sequence[Question], runs: Mapping[str, Path], paper: Mapping[str, str]
) -> list[str]:
    """A table of the rows that have a run; the others are named below it."""
    setting: GoldSetting = "closed" if table.candidates else "complete"
    rows = [(name, label) for name, label in table.rows if name in runs]
    missing = [label for name, label in table.rows if name not in runs and not name.startswith("llm")]
    opened = [Run.open(runs[name]) for name, _ in rows]
    judged = judgements(gold, opened, table.main, setting=setting)
    lines = []
    for number, ((name, label), run_) in enumerate(zip(rows, opened, strict=True)):
        report = score(gold, run_, measures=table.measures, setting=setting)
        cells = [
            judged[number] if measure == table.main else cell(report[measure]) for measure in table.measures
        ]
        lines.append([letter(number), label, *cells, paper.get(name, "")])
    headings = ["", "system", *table.measures, "paper"]
    below = [f"{len(gold)} questions. {LEGEND.format(main=table.main)}"]
    below += [f"Not learned yet: {', '.join(missing)}."] if missing else []
    return [f"## {table.title}", "", *markdown(headings, lines), "", *below, ""]


def by_kind(
    rows: Sequence[str], gold: Sequence[Question], runs: Mapping[str, Path], paper: Mapping[str, str]
) -> list[str]:
    """F1 by the kind of question: QAMPARI's Table 7."""
    kinds = sorted({question.kind or "" for question in gold})
    known = [name for name in rows if name in runs]
    opened = [Run.open(runs[name]) for name in known]
    columns = []
    for kind in kinds:
        members = [question for question in gold if question.kind == kind]
        ids = {question.id for question in members}
        of_kind = [Run(prediction for prediction in run_ if prediction.id in ids) for run_ in opened]
        columns.append(judgements(members, of_kind, "F1"))
    lines = [
        [letter(number), name, *(column[number] for column in columns), paper.get(name, "")]
        for number, name in enumerate(known)
    ]
    counts = [sum(question.kind == kind for question in gold) for kind in kinds]
    named = [f"{kind} ({count})" for kind, count in zip(kinds, counts, strict=True)]
    headings = ["", "F1", *named, "paper, dev"]
    return ["## QAMPARI, Table 7: F1 by kind of question", "", *markdown(headings, lines), ""]


def judgements(
    gold: Sequence[Question],
    runs: Sequence[Run],
    measure: str,
    *,
    profile: str = "entity",
    setting: GoldSetting = "complete",
) -> list[str]:
    """The figure of each run by one measure, with the letters of the runs that it beats."""
    if len(runs) < 2:
        reports = [score(gold, run_, measures=[measure], profile=profile, setting=setting) for run_ in runs]
        return [cell(report[measure]) for report in reports]
    tested = compare(
        gold,
        runs,
        names=[letter(number) for number in range(len(runs))],
        measures=[measure],
        profile=profile,
        setting=setting,
    )
    marks = [tested.marks(number, Measure.parse(measure)) for number in range(len(runs))]
    return [
        f"{cell(report[measure])} {mark}".strip() for report, mark in zip(tested.reports, marks, strict=True)
    ]


def cell(figure: FigureValue) -> str:
    """A figure in percent with its interval."""
    if figure.value is None:
        return "–"
    if figure.interval is None:
        return f"{100 * figure.value:.1f}"
    low, high = figure.interval
    return f"{100 * figure.value:.1f} [{100 * low:.0f}, {100 * high:.0f}]"


def markdown(headings: Sequence[str], lines: Sequence[Sequence[str]]) -> list[str]:
    """The lines of a table."""
    rows = [headings, ["---"] * len(headings), *lines]
    return [f"| {' | '.join(row)} |" for row in rows]


# The rows that need no network are run where graph and corpus are. What exists is not run again.


class PlainRows:
    """Runs what is missing of these rows."""

    def __init__(self, work: WorkFolder, data: TableData) -> None:
        self._work, self._data = work, data
        self._sizes, self._tested = SIZES[data.profile], data.sources[data.test]
        work.shown.mkdir(parents=True, exist_ok=True)

    def run(self) -> None:
        self._retrieval()
        asked = self._questions("qampari")
        rounds = {"rounds": self._sizes.rounds}
        self._read("mentions", asked, "mentions")
        self._read("mentions-oracle", asked, "mentions", retriever="oracle", k=DEPTH)
        self._read("mentions-verified", asked, "mentions", check="words")
        self._read("mentions-rounds", asked, "mentions", check="words", options=rounds)
        if is_packaged():
            self._read("mentions-learned", asked, "mentions", retriever="learned")
            self._read("rollcall-packaged", asked, "rollcall")
            self._read_dense("rollcall-packaged-dpr", asked, "rollcall")
        # Weights are tuned with passages for training questions, which were not kept.
        self._read_dense("mentions-dpr", asked, "mentions", {"tune": False})
        self._rollcall(asked)
        closed = self._questions("romqa")
        self._read("all-candidates", closed, "all-candidates", retriever=None)
        without_candidates = [msgspec.structs.replace(question, candidates=[]) for question in closed]
        self._read("mentions-romqa", without_candidates, "mentions", k=self._sizes.other_k)

    def ask_model(self, address: str, model: str) -> None:
        """The rows of a language model behind a server; RoMQA's language models see no passages."""
        qampari, romqa = self._questions("qampari"), self._questions("romqa")
        server = {"client": address, "model": model}
        for mode in ("closed-book", "passages", "each"):
            self._read(f"llm-{mode}", qampari, "llm", options={"mode": mode}, **server)
        asked = {question.id for question in romqa}
        learned = self._data.sources[self._data.learn[0]].sets["romqa"]
        training = [question for question in questions_of(learned, ("train",)) if question.id not in asked]
        for shots, suffix in ((0, ""), (8, "-shots")):
            questions = [*romqa, *training] if shots else romqa
            for row, mode in (("closed", "closed"), ("open", "closed-book")):
                options = {"mode": mode, "shots": shots}
                self._read(f"llm-{row}{suffix}", questions, "llm", retriever=None, options=options, **server)

    def _questions(self, kind: str) -> list[Question]:
        """The questions of a set; of a source that nothing is learned from, only those that are asked."""
        learned = self._data.test in self._data.learn
        return questions_of(self._tested.sets[kind], None if learned else ("test",))

    def _out(self, row: str) -> Path:
        return self._work.shown / f"{row}.test.jsonl"

    def _read(
        self,
        row: str,
        questions: Sequence[Question],
        reader: str,
        *,
        retriever: str | None = "bm25",
        **given: Any,
    ) -> None:
        if self._out(row).exists():
            return
        given.setdefault("k", self._data.k)
        answers = run(
            questions,
            reader,
            retriever=retriever,
            split="test",
            corpus=self._tested.corpus,
            graph=self._tested.graph,
            **given,
        )
        answers.save(self._out(row))

    def _read_dense(
        self,
        row: str,
        questions: Sequence[Question],
        reader: str,
        options: Mapping[str, object] | None = None,
    ) -> None:
        """With the passages that the trained retriever found."""
        retrieved = self._out("dpr")
        if retrieved.exists():
            given = {**(options or {}), "stored.passages": str(retrieved)}
            self._read(row, questions, reader, retriever="stored", options=given)

    def _retrieval(self) -> None:
        """What is packaged, and the fusion; the texts of what dense retrievers found, whose ids were kept."""
        packaged = ("bm25", "learned") if is_packaged() else ("bm25",)
        for row in packaged:
            if not self._out(row).exists():
                retrieved = retrieve(
                    self._tested.sets["qampari"], row, corpus=self._tested.corpus, split="test", k=DEPTH
                )
                retrieved.save(self._out(row))
        with Context(corpus=self._tested.corpus) as context:
            for row in ("dense", "dpr"):
                kept = self._work.run(row)
                if kept.exists() and not self._out(row).exists():
                    Run(_with_texts(prediction, context) for prediction in Run.open(kept)).save(
                        self._out(row)
                    )
        if self._out("dpr").exists() and not self._out("hybrid").exists():
            dense = {prediction.id: prediction.retrieved for prediction in Run.open(self._out("dpr"))}
            joined = Run(
                Prediction(bm25.id, retrieved=fused((bm25.retrieved, dense[bm25.id]), DEPTH))
                for bm25 in Run.open(self._out("bm25"))
            )
            joined.save(self._out("hybrid"))

    def _rollcall(self, questions: Sequence[Question]) -> None:
        """The trees, and what they answer by the scores that the models gave where the GPU is."""
        parts, model = self._work.models / PARTS, self._work.models / "rollcall"
        if not parts.is_dir():
            return
        if not model.is_dir():
            learned = self._data.sources[self._data.learn[0]]
            train(
                "rollcall",
                out=model,
                exercises=self._work.learning("qampari-bm25")[0],
                corpus=learned.corpus,
                graph=learned.graph,
                options={"trained": str(parts), "parts": self._sizes.parts},
            )
        for row, retriever in (("rollcall", "bm25"), ("rollcall-oracle", "oracle")):
            folder = str(self._work.asked(f"qampari-{retriever}"))
            options: dict[str, object] = {
                "model": str(model),
                "stored.passages": folder,
                "scores": str(self._work.scores),
            }
            if retriever == "oracle":  # what is not evidence is not read
                options |= {"further": 0, "nearest": 0}
            self._read(row, questions, "rollcall", retriever="stored", options=options, k=DEPTH)


def _with_texts(prediction: Prediction, context: Context) -> Prediction:
    passages: list[Passage] = []
    for passage in prediction.retrieved:
        number = context.store.number(passage.id)
        if number is not None:
            passages.append(context.store.passage(number, passage.score))
    return Prediction(prediction.id, retrieved=passages)
