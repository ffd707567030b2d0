"""Tasks about runs of systems, and about the questions of several sets.

- `judge-pooled`: is an answer that systems gave and the gold lacks right?
- `equivalence`: was a prediction rightly counted right because of an added name?
- `naturalness`: would you ask this question, and would another person?
- `screen`: what is wrong with each question, if anything?
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import msgspec

from rollcall._core.errors import RollcallError
from rollcall.audit.material import answer_names
from rollcall.audit.missing import NamedAnswer, find_named, names_in
from rollcall.questions.question_set import QuestionSet
from rollcall.questions.record import Answer, Evidence, Question
from rollcall.questions.run import EntityAnswer, Run
from rollcall.score.expansion import NewlyRight, newly_right
from rollcall.score.match import WRONG, name_key
from rollcall.score.pairing import pair, predicted
from rollcall.score.profiles import open_profile
from rollcall.studio.records import Item, ItemResolution, item_key
from rollcall.studio.tasks import TASKS
from rollcall.studio.tasks.shown import (
    PassageTexts,
    chance,
    drawn_questions,
    numbered,
    shown_passages,
    shuffled,
    wording_of,
)
from rollcall.studio.tasks.task import (
    Agreement,
    Choice,
    Count,
    Form,
    People,
    Positive,
    Share,
    Task,
    TaskMaterial,
    TaskSettings,
    VerdictReason,
    rating,
    texts_of,
)

# Judging answers that systems gave and the gold lacks, pooled over runs, the best first.
#
# An answer that many runs gave, or that text names together with the question, is likeliest to be right.
# Some answers of the gold are mixed in, looking like all others, to see who reads.

RIGHT, NOT_RIGHT, UNDECIDED = "right", "wrong", "unclear"
_SEARCHED = 3
"""So many passages are looked at for an answer that no sentence names with its question."""


class PooledSettings(TaskSettings, frozen=True, kw_only=True):
    """What a manager decides about pooled answers."""

    depth: Count = 10
    """How many answers of each run to a question are pooled, from the top; 0 for all."""
    most: Count = 500
    """How many answers are judged, the best first; 0 for all."""
    injected: Share = 0.1
    """The share of items that are answers of the gold."""
    profile: str = "entity"
    """The profile that compares predictions with answers."""


@dataclass
class _Pooled:
    question: Question
    label: str
    id: str | None
    runs: list[str] = field(default_factory=list)
    rank: int = 1 << 30
    known: bool = False
    evidence: list[Evidence] = field(default_factory=list)

    @property
    def sort_key(self) -> tuple[object, ...]:
        return -len(self.runs), not self.evidence, self.rank, self.question.id, self.label


@TASKS.register("judge-pooled")
class JudgePooled(Task):
    """Say whether an answer that systems gave and the set lacks is right."""

    name = "judge-pooled"
    title = "Judge pooled answers"
    Settings = PooledSettings
    needs = ("runs",)
    not_asked = "questions without a pooled answer that is judged (options depth and most)"
    choices = (
        Choice(RIGHT, "Right", "1", "It answers the question, as the text shows.", "good", accepts=True),
        Choice(NOT_RIGHT, "Wrong", "2", "It does not answer the question.", "bad"),
        Choice(UNDECIDED, "Cannot decide", "3", "The text shows neither.", "unsure"),
    )

    def items(self, material: TaskMaterial, settings: TaskSettings) -> list[Item]:
        assert isinstance(settings, PooledSettings)
        self.check_material(material)
        questions = drawn_questions(self, material.questions, settings)
        pooled = _pooled(questions, material.runs, settings)
        if not pooled:
            raise RollcallError(
                "every answer of the runs is in the gold already, so there is nothing to judge"
            )
        _name(pooled, material)
        best = sorted(pooled, key=lambda answer: answer.sort_key)[: settings.most or None]
        texts = PassageTexts(material.corpus)
        return numbered([_pooled_item(answer, texts) for answer in _mixed(best, material, settings)])


def _pooled(questions: Sequence[Question], runs: Iterable[Run], settings: PooledSettings) -> list[_Pooled]:
    profile = open_profile(settings.profile)
    pooled: dict[tuple[str, object], _Pooled] = {}
    for run in runs:
        for question, prediction in pair(questions, run)[0]:
            answers = predicted(prediction)[: settings.depth or None]
            ids = {
                answer.label or answer.id: answer.id for answer in answers if isinstance(answer, EntityAnswer)
            }
            resolution = profile.resolve(question, [*question.answers, *question.extended], list(answers))
            resolved = zip(resolution.predictions, resolution.owners, strict=True)
            for rank, (text, owner) in enumerate(resolved):
                if owner == WRONG and text.strip():
                    entity = ids.get(text)
                    key = (question.id, entity or name_key(text))
                    answer = pooled.setdefault(key, _Pooled(question, text, entity))
                    answer.runs.append(run.name)
                    answer.rank = min(answer.rank, rank)
    return list(pooled.values())


def _name(pooled: Sequence[_Pooled], material: TaskMaterial) -> None:
    """Find a sentence of the corpus for each answer that names it with its question."""
    if material.corpus is None:
        return
    names = {answer.question.id: names_in(answer.question) for answer in pooled}
    sentences = find_named(
        material.corpus.folder, [NamedAnswer(answer.question.id, answer.label) for answer in pooled], names
    )
    for answer in pooled:
        sentence = sentences.get(NamedAnswer(answer.question.id, answer.label))
        answer.evidence = [] if sentence is None else [sentence]
        if not answer.evidence and material.search is not None:
            hits = material.search(f"{wording_of(answer.question)} {answer.label}", _SEARCHED)
            answer.evidence = [
                Evidence(hit.text, hit.id, hit.title) for hit in hits if answer.label in hit.text
            ]


def _mixed(best: list[_Pooled], material: TaskMaterial, settings: PooledSettings) -> list[_Pooled]:
    """The pooled answers, with answers of the gold at random places; evidence comes from the same search."""
    numbers = chance(settings.seed, "gold")
    wanted = round(len(best) * settings.injected / (1 - min(settings.injected, 0.9)))
    asked = {answer.question.id: answer.question for answer in best}
    gold = [
        _Pooled(question, answer.label, answer.id, known=True)
        for question in asked.values()
        for answer in question.answers
    ]
    drawn = numbers.sample(gold, min(4 * wanted, len(gold)))
    _name(drawn, material)
    seen = any(answer.evidence for answer in best)
    chosen = [answer for answer in drawn if answer.evidence or not seen][:wanted]
    mixed = list(best)
    for answer in chosen:
        mixed.insert(numbers.randint(0, len(mixed)), answer)
    return mixed


def _pooled_item(pooled: _Pooled, texts: PassageTexts) -> Item:
    gold = (
        [answer for answer in pooled.question.answers if answer.label == pooled.label] if pooled.known else []
    )
    names = [pooled.label, *(name for answer in gold for name in answer_names(answer))]
    hidden: dict[str, object] = {"answer": {"id": pooled.id, "label": pooled.label}, "runs": pooled.runs}
    return Item(
        key=item_key("judge-pooled", pooled.question.id, pooled.id or pooled.label),
        question=pooled.question.id,
        shown={
            "question": wording_of(pooled.question),
            "answer": pooled.label,
            "passages": shown_passages(pooled.evidence, names[:1], texts),
        },
        hidden={**hidden, "expected": [RIGHT]} if pooled.known else hidden,
        injected=pooled.known,
    )


# The audit of equivalences as in "What's in a Name?": was a prediction rightly counted right?
#
# Items are predictions of runs that are wrong without the names that an expansion added, and right with
# them. The expanded set says itself which names were added, so the set before is what remains without them.

WRONG_PREDICTION = "wrong"
REASONS = (
    VerdictReason("other-entity", "other entity", "3", "The two names do not mean the same thing."),
    VerdictReason("wrong-context", "wrong context", "4", "They may mean the same, but not in this question."),
    VerdictReason(
        "wrong-alias", "wrong alias", "5", "The same thing, but the question asks for another name of it."
    ),
)


class EquivalenceSettings(TaskSettings, frozen=True, kw_only=True):
    """What a manager decides about the audit."""

    sample: Count = 50
    """How many predictions are drawn; 0 for all."""
    profile: str = "entity"
    """The profile that compares predictions with answers."""


@TASKS.register("equivalence")
class Equivalence(Task):
    """Say whether a prediction that an added name made right is right."""

    name = "equivalence"
    title = "Audit equivalences"
    Settings = EquivalenceSettings
    needs = ("runs",)
    not_asked = "questions without a drawn prediction that an added name makes right (option sample)"
    choices = (
        Choice("correct", "Correct", "1", "The prediction answers the question.", "good", accepts=True),
        Choice("debatable", "Debatable", "2", "Reasonable people would differ.", "unsure"),
        Choice(WRONG_PREDICTION, "Wrong", "3", "It does not; say why.", "bad", reasons=REASONS),
        Choice("invalid", "Invalid question", "6", "Ill-formed, or nothing could answer it.", "plain"),
    )

    def items(self, material: TaskMaterial, settings: TaskSettings) -> list[Item]:
        assert isinstance(settings, EquivalenceSettings)
        self.check_material(material)
        questions = drawn_questions(self, material.questions, settings)
        after = QuestionSet(questions, material.questions.manifest)
        before = QuestionSet([_before(question) for question in questions])
        profile = open_profile(settings.profile)
        newly: dict[tuple[str, str], NewlyRight] = {}
        for run in material.runs:
            for row in newly_right(before, after, run, profile):
                newly.setdefault((row.id, row.prediction), row)
        if not newly:
            raise RollcallError(
                "no prediction turned right by an added name: give a set that `rollcall expand` made, "
                "and runs on its questions"
            )
        rows = shuffled((newly[key] for key in sorted(newly)), settings.seed, "equivalence")
        texts, by_id = PassageTexts(material.corpus), {question.id: question for question in questions}
        return numbered(
            [_equivalence_item(row, by_id[row.id], texts) for row in rows[: settings.sample or None]]
        )


def _before(question: Question) -> Question:
    """The question without the names that an expansion added."""
    return msgspec.structs.replace(question, answers=[_without_added(answer) for answer in question.answers])


def _without_added(answer: Answer) -> Answer:
    added = {alias.text for alias in answer.added}
    return msgspec.structs.replace(
        answer, aliases=[name for name in answer.aliases if name not in added], added=[]
    )


def _equivalence_item(row: NewlyRight, question: Question, texts: PassageTexts) -> Item:
    answer = next(
        (
            candidate
            for candidate in question.answers
            if candidate.label == row.answer or row.alias in candidate.added
        ),
        None,
    )
    names = [] if answer is None else list(_without_added(answer).aliases)
    evidence = [] if answer is None else answer.evidence
    return Item(
        key=item_key("equivalence", row.id, row.prediction),
        question=row.id,
        shown={
            "question": row.question,
            "prediction": row.prediction,
            "answer": row.answer if answer is None else answer.label,
            "aliases": names,
            "passages": shown_passages(evidence, [row.answer, *names, row.prediction], texts),
        },
        hidden={"alias": None if row.alias is None else msgspec.to_builtins(row.alias)},
    )


# Naturalness as in RoMQA: would you ask this, and would another person?
#
# Every rater sees one question of each compared set, shuffled, then one of each again; which set a question
# is from stays hidden.

RATED = "rated"
STEPS = 5
SCALES = (
    ("self", "How likely would you ask this question?"),
    ("other", "How likely would another person ask it?"),
)
WORDS = ("very unlikely", "unlikely", "hard to say", "likely", "very likely")


class NaturalnessSettings(TaskSettings, frozen=True, kw_only=True):
    """What a manager decides about ratings."""

    overlap: People = 3


@TASKS.register("naturalness")
class Naturalness(Task):
    """Rate how likely you, or somebody else, would ask a question."""

    name = "naturalness"
    title = "Rate naturalness"
    Settings = NaturalnessSettings
    right_or_wrong = False
    not_asked = "questions that were not drawn, because every set gives as many as the smallest"
    choices = (Choice(RATED, "Next", "Enter", "Both ratings are given.", accepts=True),)

    def items(self, material: TaskMaterial, settings: TaskSettings) -> list[Item]:
        sets = {material.name: material.questions, **material.others}
        drawn = {name: drawn_questions(self, questions, settings) for name, questions in sets.items()}
        rounds = max(map(len, drawn.values())) if len(drawn) == 1 else min(map(len, drawn.values()))
        items = []
        for index in range(rounds):
            bundle = [
                Item(
                    key=item_key("naturalness", name, questions[index].id),
                    question=questions[index].id,
                    shown={"question": wording_of(questions[index])},
                    hidden={"set": name},
                )
                for name, questions in drawn.items()
            ]
            items += shuffled(bundle, settings.seed, "bundle", index)
        return numbered(items)

    def values(self, item: Item, choice: str, form: Form) -> dict[str, object]:
        return {field: rating(form, field, STEPS, about) for field, about in SCALES}

    def settled_by(self, choices: Sequence[str], agreement: Agreement) -> ItemResolution:
        return ItemResolution("accepted", RATED, f"{len(choices)} ratings")


# Screening: read a whole set quickly and mark what is wrong with its questions. One person reads
# hundreds in an hour, so a figure with its interval can be put on a set's quality before anything else
# is done with it.


class ScreenSettings(TaskSettings, frozen=True, kw_only=True):
    """What a manager decides about screening."""

    answers: Positive = 12
    """How many answers of a question are shown, drawn at random."""


@TASKS.register("screen")
class ScreenTask(Task):
    """Read a question with its answers and mark what is wrong with it."""

    name = "screen"
    title = "Screen questions"
    Settings = ScreenSettings
    choices = (
        Choice(
            "fine", "Fine", "1", "Somebody might ask it, and the answers look right.", "good", accepts=True
        ),
        Choice("clumsy", "Clumsy", "2", "One understands it, but nobody would say it so.", "unsure"),
        Choice("senseless", "Senseless", "3", "It asks nothing that one could answer.", "bad"),
        Choice("wrong-answer", "Wrong answer", "4", "An answer does not answer it.", "bad"),
        Choice("weak-evidence", "Weak evidence", "5", "The text does not prove an answer.", "unsure"),
    )

    def items(self, material: TaskMaterial, settings: TaskSettings) -> list[Item]:
        assert isinstance(settings, ScreenSettings)
        return numbered(
            [_item(question, settings) for question in drawn_questions(self, material.questions, settings)]
        )

    def values(self, item: Item, choice: str, form: Form) -> dict[str, object]:
        listed = item.shown.get("answers")
        labels = [row["answer"] for row in listed] if isinstance(listed, list) else []
        marked = [label for label in texts_of(form, "marked") if label in labels]
        return {"answers": marked} if marked and choice in ("wrong-answer", "weak-evidence") else {}


def _item(question: Question, settings: ScreenSettings) -> Item:
    drawn = chance(settings.seed, "screened", question.id).sample(
        question.answers, min(settings.answers, len(question.answers))
    )
    return Item(
        key=item_key("screen", question.id),
        question=question.id,
        shown={
            "question": wording_of(question),
            "answers": [
                {
                    "answer": answer.label,
                    "evidence": [
                        {"title": piece.title or "", "text": piece.text} for piece in answer.evidence
                    ],
                }
                for answer in drawn
            ],
            "more": len(question.answers) - len(drawn),
        },
    )
