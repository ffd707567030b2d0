"""Reading any question set: search, filters by characteristic, one question with all that belongs to it,
runs.

`SetIndex` holds what is searched and filtered, and leaves questions on disk; `find` searches; `question_page`
makes the page of a question; `side_by_side` compares runs. Nothing here depends on the web.
"""

import threading
from collections import Counter, OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, repeat
from pathlib import Path
from typing import NamedTuple, Self, TypeVar

import msgspec

from rollcall._core.errors import UNREADABLE, RollcallError, why
from rollcall.audit.material import answer_names
from rollcall.corpus import Corpus
from rollcall.graph import Graph
from rollcall.questions.question_set import MANIFEST, QUESTIONS, ManifestShape, QuestionSet
from rollcall.questions.record import Answer, Characteristic, NeutralAnswer, Question
from rollcall.questions.run import Passage, Prediction, Run
from rollcall.score.match import WRONG, name_key
from rollcall.score.neutral import of_neutral_answers
from rollcall.score.options import ScoringOptions
from rollcall.score.pairing import pair, predicted
from rollcall.score.profiles import open_profile
from rollcall.score.scoring import score_records
from rollcall.studio.export.judgments import ProjectTrace, projects_of
from rollcall.studio.records import Json
from rollcall.studio.tasks.shown import PassageTexts, shown_passages, shown_query
from rollcall.studio.tasks.task import TaskMaterial
from rollcall.text.words import fold, without_accents

# Runs side by side: who found which answer of a question, who added what, and how runs do on all
# questions. Predictions are compared with answers by the rules of the `entity` profile, as `rollcall
# score` does by default; the figures of a whole set are those of scoring, with their intervals.

PROFILE = "entity"
MEASURES = ("P", "R", "F1")


class Line(NamedTuple):
    """One answer, and which runs gave it."""

    answer: str
    kind: str
    """`gold`, `neutral`, `extended`, or `added` by a run."""
    names: tuple[str, ...]
    """What each run called it, in the order of runs; empty if it did not give it."""


class RunAnswers(NamedTuple):
    """What one run gave for a question."""

    name: str
    answered: bool
    failure: str
    precision: float
    recall: float
    f1: float
    retrieved: Sequence[Passage]
    query: str


class SideBySide(NamedTuple):
    """The answers of a question, one line each, and the runs, one column each."""

    runs: list[RunAnswers]
    lines: list[Line]


class RunFigures(NamedTuple):
    """How a run does on a whole set."""

    name: str
    questions: int
    figures: dict[str, tuple[float | None, tuple[float, float] | None]]


def side_by_side(question: Question, runs: Sequence[Run]) -> SideBySide:
    """All answers of the gold, the neutral and the extended ones, and what runs added, in this order."""
    profile = open_profile(PROFILE)
    gold = [*question.answers, *question.neutral, *question.extended]
    columns: list[RunAnswers] = []
    named: list[list[str]] = [[""] * len(runs) for _ in gold]
    added: dict[object, tuple[str, list[str]]] = {}
    for column, run in enumerate(runs):
        prediction = _prediction(question, run)
        names = list(predicted(prediction))
        neutral = of_neutral_answers(question, names, profile, "complete")
        measured = [name for name, is_neutral in zip(names, neutral, strict=True) if not is_neutral]
        match, _ = profile.judge(question, question.answers, measured, None)
        columns.append(_of_run(run, prediction, match.precision, match.recall, match.f1))
        resolution = profile.resolve(question, gold, names)
        labels = [answer.label for answer in gold]
        for text, owner in zip(resolution.predictions, resolution.owners, strict=True):
            if owner == WRONG:
                added.setdefault(name_key(text), (text, [""] * len(runs)))[1][column] = text
            else:
                named[labels.index(resolution.gold[owner])][column] = text
    kinds = [
        *repeat("gold", len(question.answers)),
        *repeat("neutral", len(question.neutral)),
        *repeat("extended", len(question.extended)),
    ]
    lines = [
        Line(answer.label, kind, tuple(names)) for answer, kind, names in zip(gold, kinds, named, strict=True)
    ]
    often = sorted(added.values(), key=lambda addition: -sum(map(bool, addition[1])))
    return SideBySide(columns, [*lines, *(Line(text, "added", tuple(names)) for text, names in often)])


def run_figures(questions: QuestionSet, runs: Sequence[Run]) -> list[RunFigures]:
    """Precision, recall and F1 of each run over the set, with their intervals."""
    options = ScoringOptions(profile=PROFILE, measures=list(MEASURES))
    rows = []
    for run in runs:
        report = score_records(questions, run, options)
        figures = {
            str(measure): (figure.value, figure.interval) for measure, figure in report.figures.items()
        }
        rows.append(RunFigures(run.name, report.n, figures))
    return rows


def _prediction(question: Question, run: Run) -> Prediction | None:
    own = [prediction for prediction in run if prediction.id == question.id]
    return pair([question], Run(own, run.name))[0][0][1]


def _of_run(
    run: Run, prediction: Prediction | None, precision: float, recall: float, f1: float
) -> RunAnswers:
    if prediction is None:
        return RunAnswers(run.name, False, "", precision, recall, f1, [], "")
    return RunAnswers(
        run.name,
        True,
        prediction.failure or "",
        precision,
        recall,
        f1,
        prediction.retrieved,
        prediction.query or "",
    )


# The index of a set: what is searched and filtered of each question, and where its line is in the file.
# A set may have 60,000 questions with evidence, which take gigabytes as objects. So only texts, names
# and characteristics are held; a question is read from its line when somebody opens it.

Record = TypeVar("Record")
_MOST_OPEN = 4
"""How many indexes are held at a time."""


class _EntityNames(msgspec.Struct, gc=False):
    label: str
    aliases: list[str] = []


class _Light(msgspec.Struct):
    """What is read of a question's line for the index; the rest is passed over."""

    id: str
    question: str = ""
    wordings: list[str] = []
    kind: str | None = None
    cluster: str | None = None
    split: str | None = None
    characteristics: dict[str, Characteristic] = {}
    answers: list[_EntityNames] = []
    neutral: list[_EntityNames] = []
    extended: list[_EntityNames] = []


class QuestionEntry(NamedTuple):
    """One question in the index."""

    id: str
    text: str
    kind: str
    split: str
    answers: int
    characteristics: dict[str, tuple[str, ...]]
    """The values of each characteristic, as texts; also its kind, split and cluster."""
    searched: str
    """Everything that is searched, folded."""
    start: int
    """Where its line begins in the file."""
    length: int


class SetIndex:
    """A question set, ready to be searched."""

    def __init__(self, folder: Path, entries: list[QuestionEntry], manifest: ManifestShape) -> None:
        self.folder = folder
        self.entries = entries
        self.manifest = manifest
        self.positions = {entry.id: position for position, entry in enumerate(entries)}
        self.names = list(dict.fromkeys(name for entry in entries for name in entry.characteristics))
        """The characteristics that questions have."""

    @classmethod
    def open(cls, folder: Path | str) -> Self:
        """Read a set's folder once, from the first line to the last."""
        folder = Path(folder)
        decoder = msgspec.json.Decoder(_Light)
        entries = [_entry(record, start, length) for record, start, length in _lines(folder, decoder)]
        return cls(folder, entries, _manifest(folder))

    def question(self, id_: str) -> Question:
        """The whole record of a question."""
        if id_ not in self.positions:
            raise RollcallError(f"the set has no question {id_!r:.80}")
        entry = self.entries[self.positions[id_]]
        with (self.folder / QUESTIONS).open("rb") as stream:
            stream.seek(entry.start)
            line = stream.read(entry.length)
        try:
            question = msgspec.json.decode(line, type=Question)
        except UNREADABLE as error:
            raise RollcallError(f"{self.folder}: the set changed while it was read; open it again") from error
        if question.id != id_:
            raise RollcallError(f"{self.folder}: the set changed while it was read; open it again")
        return question

    def without_evidence(self) -> QuestionSet:
        """All questions, as scoring needs them: evidence would fill the memory."""
        questions = []
        for question, _, _ in _lines(self.folder, msgspec.json.Decoder(Question)):
            for answer in question.answers:
                answer.evidence = []
            for neutral in question.neutral:
                neutral.nearest = None
            questions.append(question)
        return QuestionSet(questions)

    def __len__(self) -> int:
        return len(self.entries)


class OpenIndexes:
    """The indexes that were used last; a set that changed on disk is read again."""

    def __init__(self) -> None:
        self._open: OrderedDict[tuple[Path, int, int], SetIndex] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, folder: Path | str) -> SetIndex:
        """The index of a set's folder."""
        folder = Path(folder)
        try:
            status = (folder / QUESTIONS).stat()
        except OSError:
            raise RollcallError(f"{folder}: holds no {QUESTIONS}, so it is not a question set") from None
        key = (folder.resolve(), status.st_mtime_ns, status.st_size)
        with self._lock:
            if key not in self._open:
                self._open[key] = SetIndex.open(folder)
            self._open.move_to_end(key)
            while len(self._open) > _MOST_OPEN:
                self._open.popitem(last=False)
            return self._open[key]


def _lines(folder: Path, decoder: msgspec.json.Decoder[Record]) -> Iterator[tuple[Record, int, int]]:
    """The records of a set, each with where its line begins and how long it is."""
    file = folder / QUESTIONS
    if not file.is_file():
        raise RollcallError(f"{folder}: holds no {QUESTIONS}, so it is not a question set")
    start = 0
    with file.open("rb") as stream:
        for number, line in enumerate(stream, 1):
            if line.strip():
                try:
                    yield decoder.decode(line), start, len(line)
                except UNREADABLE as error:
                    raise RollcallError(f"{file}:{number}: {why(error)}") from error
            start += len(line)


def _manifest(folder: Path) -> ManifestShape:
    try:
        return msgspec.json.decode((folder / MANIFEST).read_bytes(), type=ManifestShape)
    except (OSError, *UNREADABLE):
        return ManifestShape()


def _entry(record: _Light, start: int, length: int) -> QuestionEntry:
    names = [
        name
        for answer in (*record.answers, *record.neutral, *record.extended)
        for name in (answer.label, *answer.aliases)
    ]
    characteristics: dict[str, Characteristic] = {
        "kind": record.kind,
        "split": record.split,
        **record.characteristics,
        "cluster": record.cluster,
    }
    values = {name: texts for name, value in characteristics.items() if (texts := _values(value))}
    searched = searchable("\n".join([record.id, record.question, *record.wordings, *names]))
    return QuestionEntry(
        record.id,
        record.question,
        record.kind or "",
        record.split or "",
        len(record.answers),
        values,
        searched,
        start,
        length,
    )


def searchable(text: str) -> str:
    """A text as it is searched: without regard to case and accents."""
    return fold(without_accents(text))


def _values(value: Characteristic) -> tuple[str, ...]:
    """A characteristic as texts: a list has several, nothing none."""
    if value is None or value == "":
        return ()
    if isinstance(value, list):
        return tuple(dict.fromkeys(value))
    if isinstance(value, bool):
        return ("yes" if value else "no",)
    return (f"{value:g}" if isinstance(value, float) else str(value),)


# Finds questions of a set: all words must occur, and every chosen characteristic must hold. Counts of
# values are those among what was found, so that one sees where a choice leads. Only names and values
# that the set has can be chosen; nothing that a visitor sends is compiled or run.

PAGE = 50
_MOST_VALUES = 30
"""How many values of a characteristic are offered, the most frequent first."""
_MOST_DIFFERENT = 2000
"""A characteristic with more values than this tells questions apart and does not group them."""
_LONGEST = 200


class ExplorerQuery(NamedTuple):
    """What a visitor looks for."""

    text: str = ""
    chosen: Mapping[str, str] = {}
    """The value of each characteristic that must hold."""
    page: int = 1


class Facet(NamedTuple):
    """A characteristic with its values among what was found, and how many questions have each."""

    name: str
    values: list[tuple[str, int]]
    chosen: str | None
    more: int
    """How many values are not offered."""


class ExplorerPage(NamedTuple):
    """One page of what was found."""

    entries: list[QuestionEntry]
    total: int
    page: int
    pages: int
    facets: list[Facet]


def find(index: SetIndex, wanted: ExplorerQuery) -> ExplorerPage:
    """The questions that are looked for, in the order of the set."""
    entries = matching(index, wanted)
    pages = max(1, -(-len(entries) // PAGE))
    page = min(max(1, wanted.page), pages)
    return ExplorerPage(
        entries[(page - 1) * PAGE : page * PAGE],
        len(entries),
        page,
        pages,
        _facets(index.names, entries, wanted.chosen),
    )


def matching(index: SetIndex, wanted: ExplorerQuery) -> list[QuestionEntry]:
    """All questions that are looked for."""
    entries: Sequence[QuestionEntry] = index.entries
    for name, value in wanted.chosen.items():
        entries = [entry for entry in entries if value in entry.characteristics.get(name, ())]
    for word in dict.fromkeys(searchable(wanted.text[:_LONGEST]).split()):
        entries = [entry for entry in entries if word in entry.searched]
    return list(entries)


def neighbours(index: SetIndex, id_: str, wanted: ExplorerQuery) -> tuple[str | None, str | None]:
    """The questions before and after one among those that are looked for."""
    ids = [entry.id for entry in matching(index, wanted)]
    if id_ not in ids:
        return None, None
    position = ids.index(id_)
    return (ids[position - 1] if position else None), (ids[position + 1] if position + 1 < len(ids) else None)


def _facets(names: Sequence[str], entries: Sequence[QuestionEntry], chosen: Mapping[str, str]) -> list[Facet]:
    counts: dict[str, Counter[str]] = {}
    for name in dict.fromkeys([*chosen, *names]):
        # One pass for each name: counting in one loop over all takes ten times as long.
        counts[name] = Counter(chain.from_iterable(entry.characteristics.get(name, ()) for entry in entries))
    facets = []
    for name, counted in counts.items():
        one_each = len(counted) > 1 and max(counted.values()) == 1
        if name not in chosen and (not counted or one_each or len(counted) > _MOST_DIFFERENT):
            continue
        ordered = sorted(counted.items(), key=lambda pair: (-pair[1], _order(pair[0])))
        facets.append(
            Facet(name, ordered[:_MOST_VALUES], chosen.get(name), max(0, len(ordered) - _MOST_VALUES))
        )
    return facets


def _order(value: str) -> tuple[float, str]:
    """Numbers in their order, then everything else by the alphabet."""
    try:
        return float(value), ""
    except ValueError:
        return float("inf"), value


# The page of one question: its query as a picture, its answers with marked evidence, what people said of
# it. Passages come whole from the corpus where there is one; without a corpus the sentences themselves
# are shown.

_WITH_EVIDENCE = 200
"""For how many answers evidence is shown; some questions have thousands."""


class ShownAnswer(NamedTuple):
    """One answer as the page shows it."""

    label: str
    id: str
    aliases: Sequence[str]
    passages: list[Json]
    """As `tasks.passages` gives them: titles and parts of text with marks."""
    provenance: str
    """Who accepted it, or where it was found."""
    extended: bool
    neutral: str
    """Why it does not count; empty for answers that do."""


class QuestionPage(NamedTuple):
    """Everything about one question."""

    question: Question
    query: Json
    """What `query_picture` draws, with conditions and the meaning of names; empty without a query."""
    answers: list[ShownAnswer]
    more: int
    """How many answers are listed without their evidence."""
    characteristics: Mapping[str, Characteristic]
    projects: list[ProjectTrace]
    """What people judged about it, with every verdict."""
    runs: SideBySide | None


def question_page(
    question: Question, *, corpus: Corpus | None = None, graph: Graph | None = None, runs: Sequence[Run] = ()
) -> QuestionPage:
    """All that a reader wants to see of a question."""
    texts = PassageTexts(corpus)
    material = TaskMaterial(QuestionSet([question]), corpus=corpus, graph=graph)
    listed = [
        *((answer, False) for answer in (*question.answers, *question.neutral)),
        *((answer, True) for answer in question.extended),
    ]
    answers = [
        _shown(answer, extended, texts if index < _WITH_EVIDENCE else None)
        for index, (answer, extended) in enumerate(listed)
    ]
    return QuestionPage(
        question,
        shown_query(question, material, 0),
        answers,
        max(0, len(listed) - _WITH_EVIDENCE),
        question.characteristics,
        projects_of(question),
        side_by_side(question, runs) if runs else None,
    )


def _shown(answer: Answer, extended: bool, texts: PassageTexts | None) -> ShownAnswer:
    passages = [] if texts is None else shown_passages(answer.evidence, answer_names(answer), texts)
    origin = ""
    if (provenance := answer.provenance) is not None:
        origin = ", ".join(filter(None, [provenance.source, provenance.by, provenance.who, provenance.note]))
    neutral = answer.reason if isinstance(answer, NeutralAnswer) else ""
    return ShownAnswer(answer.label, answer.id or "", answer.aliases, passages, origin, extended, neutral)
