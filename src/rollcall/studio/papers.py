"""The figures that the papers give about their annotation, for any project: each with count and interval.

Intervals are those of scoring, with the question as the unit, because answers of one question are not
independent. What a paper reports stands beside the figure, to compare with.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from statistics import median

import msgspec

from rollcall.score.figures import Ratio, interval
from rollcall.studio.figures import SCALE, SCALES, plain_judgments
from rollcall.studio.records import Collected, Item, JudgmentRecord
from rollcall.studio.tasks.task import CHECK, JUDGE, QUALIFY
from rollcall.studio.tasks.wordings import VERIFY

CONFIDENCE = 0.95
DECIDED = ("accepted", "rejected")


class PaperFigure(msgspec.Struct, frozen=True, omit_defaults=True):
    """One figure: a share (`count` of `of`), a mean (of `of` ratings), or a plain number."""

    name: str
    value: float | None
    interval: tuple[float, float] | None = None
    count: float | None = None
    of: float | None = None
    reported: str = ""
    """What the paper reports for its set."""


def paper_figures(collected: Collected) -> list[PaperFigure]:
    """The figures of a project: those of its task, then those about the work itself."""
    of_task = _TASKS.get(collected.task)
    return [*(of_task(collected) if of_task is not None else ()), *_work(collected)]


def _share(name: str, items: Iterable[tuple[str, bool]], reported: str = "") -> PaperFigure:
    """A share of items, each with its question."""
    above: Counter[str] = Counter()
    below: Counter[str] = Counter()
    for question, yes in items:
        above[question] += yes
        below[question] += 1
    ratio = Ratio([float(above[question]) for question in below], [float(count) for count in below.values()])
    bounds = interval(ratio, CONFIDENCE) if below else None
    return PaperFigure(name, ratio.value, bounds, above.total(), below.total(), reported)


def _mean(name: str, ratings: Iterable[tuple[str, int]]) -> PaperFigure:
    """A mean of ratings; between the ends of the scale it is like a share, and has the interval of one."""
    low, high = int(SCALE[0]), int(SCALE[-1])
    above: Counter[str] = Counter()
    below: Counter[str] = Counter()
    for question, value in ratings:
        above[question] += value - low
        below[question] += high - low
    ratio = Ratio([float(above[question]) for question in below], [float(size) for size in below.values()])
    if ratio.value is None:
        return PaperFigure(name, None)
    bounds = interval(ratio, CONFIDENCE)
    ends = None if bounds is None else (low + bounds[0] * (high - low), low + bounds[1] * (high - low))
    return PaperFigure(name, low + ratio.value * (high - low), ends, of=below.total() // (high - low))


def _resolved(collected: Collected, stage: str = JUDGE) -> list[tuple[Item, str, str | None]]:
    """Items that came to a decision, with its state and choice; injected ones do not count."""
    decided: list[tuple[Item, str, str | None]] = []
    for item in collected.items:
        resolution = collected.resolutions.get(item.key)
        if item.stage != stage or item.injected or resolution is None or resolution.choice is None:
            continue  # what is left of a dropped question is rejected, without a choice
        if resolution.state in DECIDED:
            decided.append((item, resolution.state, resolution.choice))
    return decided


def _validation(collected: Collected) -> list[PaperFigure]:
    decided = _resolved(collected)
    minimum = collected.settings.get("minimum")
    live = [item for item in collected.items if not item.pool]
    over = _questions_kept(live, collected, minimum if isinstance(minimum, int) else 0)
    return [
        _share(
            "answers validated",
            ((item.question, state == "accepted") for item, state, _ in decided),
            "QAMPARI: 96.6 %",
        ),
        _share(
            "answers that nobody understands",
            ((item.question, choice == "unclear") for item, _, choice in decided),
        ),
        _share("questions kept", over.items()),
        PaperFigure("questions validated", sum(over.values()), reported="QAMPARI: 2,000"),
    ]


def _questions_kept(live: Iterable[Item], collected: Collected, minimum: int) -> dict[str, bool]:
    """Whether each question that is decided keeps answers enough."""
    accepted: Counter[str] = Counter()
    undecided: Counter[str] = Counter()
    for item in live:
        if item.stage == JUDGE and not item.injected:
            resolution = collected.resolutions.get(item.key)
            state = "open" if resolution is None else resolution.state
            accepted[item.question] += state == "accepted"
            undecided[item.question] += state not in DECIDED
    return {
        question: accepted[question] >= minimum
        for question in accepted
        if not undecided[question] or accepted[question] + undecided[question] < minimum
    }


def _writing(collected: Collected) -> list[PaperFigure]:
    verified = _resolved(collected, VERIFY)
    asked = {item.question for item in collected.items if item.stage == JUDGE}
    with_text = {item.question for item, state, _ in verified if state == "accepted"}
    if not verified:
        with_text = {item.question for item, state, _ in _resolved(collected) if state == "accepted"}
    return [
        _share(
            "wordings kept after verification",
            ((item.question, state == "accepted") for item, state, _ in verified),
            "RoMQA: 89 %",
        ),
        _share("questions with a human wording", ((question, question in with_text) for question in asked)),
        PaperFigure(
            "wordings written", sum("text" in judgment.values for judgment in plain_judgments(collected))
        ),
    ]


def _verification(collected: Collected) -> list[PaperFigure]:
    decided = _resolved(collected)
    return [
        _share(
            "wordings kept",
            ((item.question, state == "accepted") for item, state, _ in decided),
            "RoMQA: 89 %",
        )
    ]


def _naturalness(collected: Collected) -> list[PaperFigure]:
    sets = {item.key: str(item.hidden.get("set", "")) for item in collected.items}
    figures = []
    for name in dict.fromkeys(sets.values()):
        for scale in SCALES["naturalness"]:
            rated = [
                (judgment.question, value)
                for judgment in plain_judgments(collected)
                if sets.get(judgment.item) == name and isinstance(value := judgment.values.get(scale), int)
            ]
            figures.append(_mean(f"{name}, {scale}: mean rating", rated))
            figures += [
                _share(
                    f"{name}, {scale}: rated {step}",
                    ((question, value == int(step)) for question, value in rated),
                )
                for step in SCALE
            ]
    return figures


def _extension(collected: Collected) -> list[PaperFigure]:
    added: dict[str, set[str]] = {}
    states = {item.key: state for item, state, _ in _resolved(collected)}
    for judgment in plain_judgments(collected):
        listed = judgment.values.get("answers")
        if states.get(judgment.item) == "accepted" and isinstance(listed, list):
            names = {str(answer.get("label")) for answer in listed if isinstance(answer, dict)}
            added.setdefault(judgment.question, set()).update(names)
    counts = [len(names) for names in added.values()]
    return [
        _share(
            "questions without a new answer",
            ((question, not names) for question, names in added.items()),
            "QAMPARI: 30 %",
        ),
        PaperFigure("new answers, median", median(counts) if counts else None, reported="QAMPARI: 2"),
        PaperFigure(
            "new answers, mean", sum(counts) / len(counts) if counts else None, reported="QAMPARI: 3.13"
        ),
        PaperFigure("new answers, most", max(counts, default=None), reported="QAMPARI: 16"),
    ]


def _pooling(collected: Collected) -> list[PaperFigure]:
    decided = _resolved(collected)
    return [
        _share(
            "answers of systems that are right",
            ((item.question, state == "accepted") for item, state, _ in decided),
        )
    ]


_TABLES = {
    "correct": "NQ 48, SQuAD 47, TriviaQA 50 of 50",
    "debatable": "1, 1, 0 of 50",
    "wrong": "1, 1, 0 of 50",
    "invalid": "0, 1, 0 of 50",
}


def _equivalence(collected: Collected) -> list[PaperFigure]:
    decided = _resolved(collected)
    reasons: dict[str, set[str]] = {}
    for judgment in plain_judgments(collected):
        if isinstance(why := judgment.values.get("why"), str):
            reasons.setdefault(judgment.item, set()).add(why)
    wrong = [item for item, _, choice in decided if choice == "wrong"]
    return [
        *(
            _share(
                name, ((item.question, choice == name) for item, _, choice in decided), f"Table 5: {reported}"
            )
            for name, reported in _TABLES.items()
        ),
        *(
            _share(f"wrong: {why}", ((item.question, why in reasons.get(item.key, ())) for item in wrong))
            for why in ("other-entity", "wrong-context", "wrong-alias")
        ),
    ]


def _screening(collected: Collected) -> list[PaperFigure]:
    decided = _resolved(collected)
    return [
        _share(name, ((item.question, choice == name) for item, _, choice in decided))
        for name in ("fine", "clumsy", "senseless", "wrong-answer", "weak-evidence")
    ]


def _work(collected: Collected) -> list[PaperFigure]:
    """How the work went: people, judgments, injected items, managers' checks, time and pay."""
    judgments = [
        judgment
        for judgment in collected.judged
        if judgment.role == "annotator" and not judgment.undone and judgment.stage not in (QUALIFY, CHECK)
    ]
    people = Counter(judgment.person for judgment in judgments)
    seen = [(judgment.question, not judgment.missed) for judgment in judgments if judgment.missed is not None]
    hours = sum(judgment.seconds for judgment in judgments) / 3600
    figures = [
        PaperFigure("people", len(people), reported="QAMPARI: 24"),
        PaperFigure("judgments", len(judgments), reported="QAMPARI: 30,259 answers"),
        PaperFigure("hours", round(hours, 2)),
        PaperFigure(
            "seconds a judgment, median",
            median(judgment.seconds for judgment in judgments) if judgments else None,
        ),
        _share("known items found", seen),
        _share("judgments that managers upheld", _upheld(collected, judgments)),
    ]
    if collected.hourly_rate:
        name = f"cost ({collected.currency})" if collected.currency else "cost"
        figures.append(
            PaperFigure(name, round(hours * collected.hourly_rate, 2), reported="QAMPARI: 12.5 $ an hour")
        )
    return figures


def _upheld(collected: Collected, judgments: Sequence[JudgmentRecord]) -> list[tuple[str, bool]]:
    decided = {
        judgment.item: judgment.choice
        for judgment in collected.judged
        if judgment.counted and judgment.role != "annotator"
    }
    return [
        (judgment.question, judgment.choice == decided[judgment.item])
        for judgment in judgments
        if judgment.item in decided and not judgment.as_gold
    ]


_TASKS: dict[str, Callable[[Collected], list[PaperFigure]]] = {
    "validate": _validation,
    "write": _writing,
    "paraphrase": _writing,
    "verify": _verification,
    "naturalness": _naturalness,
    "extend": _extension,
    "judge-pooled": _pooling,
    "equivalence": _equivalence,
    "screen": _screening,
}
