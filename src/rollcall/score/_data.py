"""Reports and comparisons as data: plain values for JSON, records for CSV, and pandas tables.

Shares are fractions, never percentages. pandas is imported only when a table of it is requested.

`report_json`, `comparison_json`         all figures as plain values
`report_records`, `comparison_records`   a row for each figure
`report_frame`, `comparison_frame`       the same as pandas tables, or a row for each question
`explained`                              each question's answers that were found, missed and wrong
`verdict_records`                        a row for each of these answers
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

from rollcall._core.errors import RollcallError
from rollcall._core.packages import data_frame, pandas_library
from rollcall.questions.record import Answer, Question
from rollcall.questions.run import Prediction
from rollcall.report import Heading, Table
from rollcall.score.breakdown import RANK, share_of_first
from rollcall.score.figures import FigureGroup, FigureValue
from rollcall.score.match import WRONG, Resolution
from rollcall.score.measure import Measure
from rollcall.score.neutral import ignored_names
from rollcall.score.pairing import answer_sets, gold_of, predicted

if TYPE_CHECKING:
    import pandas as pd

    from rollcall.report.values import Cell
    from rollcall.score.breakdown import Robustness
    from rollcall.score.comparison import Comparison
    from rollcall.score.expansion import FigureVariants
    from rollcall.score.incomplete.bounds import Corrected, Incomplete, TrueFigure
    from rollcall.score.report import Report


# A report as JSON: profile, number of questions, measures with intervals, breakdowns, what did not
# match. These five keys are always present; others only if something was requested or needs a warning.


def report_json(report: "Report") -> dict[str, object]:
    """The report as plain values, ready for any JSON encoder."""
    whole: dict[str, object] = {
        "profile": report.profile.name,
        "n": report.n,
        "measures": figures_json(report.figures, report.incomplete),
        "by": breakdowns_json(report.by),
        "unmatched": report.unmatched.as_json(),
    }
    if report.reading:
        whole["read"] = report.reading
    if report.setting != "complete":
        whole["gold"] = report.setting
    if report.neutral is not None:
        whole["neutral"] = report.neutral.as_json()
    if report.incomplete is not None:
        whole["incomplete"] = _incomplete_json(report.incomplete)
    if report.robustness is not None:
        whole["robustness"] = _robustness_json(report.robustness)
    for variant in report.variants:
        whole[variant.key] = _side_by_side_json(variant)
    if report.warnings:
        whole["warnings"] = report.warnings
    return whole


def figures_json(
    figures: Mapping[Measure, FigureValue], incomplete: "Incomplete | None" = None
) -> dict[str, object]:
    """Every figure with its interval, and with what is known of its true value."""
    true = {} if incomplete is None else incomplete.figures
    return {
        str(measure): {
            "value": figure.value,
            "ci": None if figure.interval is None else list(figure.interval),
            **(true_json(true[measure]) if measure in true else {}),
        }
        for measure, figure in figures.items()
    }


def _incomplete_json(known: "Incomplete") -> dict[str, object]:
    """What the true figures rest on."""
    return {
        "completeness": None if known.completeness is None else msgspec.to_builtins(known.completeness),
        "errors": known.errors,
        "drawn": known.drawn,
        "known": known.known,
        "guessed": known.guessed,
    }


def breakdowns_json(by: Mapping[str, Mapping[str, FigureGroup]]) -> dict[str, object]:
    """The figures of every group of each breakdown."""
    return {name: _groups_json(name, groups) for name, groups in by.items()}


def _groups_json(name: str, groups: Mapping[str, FigureGroup]) -> dict[str, dict[str, object]]:
    table: dict[str, dict[str, object]] = {
        key: {"n": group.n, "measures": figures_json(group.figures)} for key, group in groups.items()
    }
    if name == RANK and groups:
        shares = {str(measure): share_of_first(dict(groups), measure) for measure in groups["1"].figures}
        if shares:
            for rank, row in table.items():
                row["of_rank_1"] = {measure: of_rank[rank] for measure, of_rank in shares.items()}
    return table


def _robustness_json(robustness: "Robustness") -> dict[str, object]:
    return {
        "measure": str(robustness.measure),
        "clusters": robustness.clusters,
        "mean": robustness.mean,
        "worst": robustness.worst,
        "drop": robustness.worst - robustness.mean,
        "correlation": {
            name: {
                "with_score": trend.with_score,
                "with_drop": trend.with_drop,
                "points": [point._asdict() for point in trend.points],
            }
            for name, trend in robustness.trends.items()
        },
    }


def _side_by_side_json(variant: "FigureVariants") -> dict[str, object]:
    return {
        "n": variant.n,
        "rows": {name: figures_json(figures) for name, figures in variant.rows.items()},
        "counts": variant.counts,
    }


def comparison_json(comparison: "Comparison") -> dict[str, object]:
    first = comparison.reports[0]
    return {
        "profile": first.profile.name,
        "n": first.n,
        **({"read": first.reading} if first.reading else {}),
        "runs": [
            {
                "name": name,
                "measures": figures_json(report.figures, report.incomplete),
                "by": breakdowns_json(report.by),
                "better_than": {
                    str(measure): [comparison.names[loser] for loser in comparison.beats(index, measure)]
                    for measure in report.measures
                },
                "unmatched": report.unmatched.as_json(),
                **({} if report.neutral is None else {"neutral": report.neutral.as_json()}),
                "warnings": report.warnings,
            }
            for index, (name, report) in enumerate(zip(comparison.names, comparison.reports, strict=True))
        ],
        "test": comparison.test,
        "correction": comparison.correction,
        "level": comparison.level,
        "resamples": comparison.resamples,
        "differences": [
            {
                "measure": str(difference.measure),
                "runs": [comparison.names[difference.first], comparison.names[difference.second]],
                "value": difference.value,
                "p": difference.p_values._asdict(),
                "corrected_p": difference.corrected_p,
                **(
                    {}
                    if difference.true is None
                    else {**true_json(difference.true), "survives": difference.survival}
                ),
            }
            for difference in comparison.differences
        ],
        **({"warnings": comparison.warnings} if comparison.warnings else {}),
    }


def true_json(figure: "TrueFigure") -> dict[str, object]:
    """The keys that a figure or difference gets besides its own."""
    entries: dict[str, object] = {}
    if figure.bounds is not None:
        entries["bounds"] = list(figure.bounds)
    if figure.corrected is not None:
        entries["corrected"] = _corrected_json(figure.corrected)
    return entries


def _corrected_json(corrected: "Corrected") -> dict[str, object]:
    return {
        "value": corrected.value,
        "ci": list(corrected.interval),
        "population": None if corrected.population is None else list(corrected.population),
        "judged": corrected.judged,
    }


_RECORD_HEADINGS = tuple(
    Heading(name) for name in ("run", "by", "group", "n", "measure", "value", "low", "high")
)


def report_records(report: "Report") -> Table:
    """A row for each figure of a run, including those of groups."""
    return Table("", _RECORD_HEADINGS, list(_records(report.name, report)))


def comparison_records(comparison: "Comparison") -> Table:
    """The figures of all runs."""
    runs = zip(comparison.names, comparison.reports, strict=True)
    return Table("", _RECORD_HEADINGS, [row for name, report in runs for row in _records(name, report)])


def _records(name: str, report: "Report") -> "Iterator[list[Cell]]":
    groups = [("", "", FigureGroup(report.n, report.figures))]
    groups += [(by, key, group) for by, keys in report.by.items() for key, group in keys.items()]
    for by, key, group in groups:
        for measure, figure in group.figures.items():
            yield [name, by, key, group.n, str(measure), figure.value, *(figure.interval or ("", ""))]


# The result of each question, for people to read: which answers were found, missed and wrong.


class Explanation(msgspec.Struct, omit_defaults=True):
    """One question: its values in the order of the report's measures, and its answers."""

    id: str
    question: str
    kind: str
    state: Literal["answered", "missing", "failed"]
    why: str
    """Why the system failed, if it did."""
    values: list[float | None]
    found: list[str]
    missed: list[str]
    wrong: list[str]
    repeated: list[str]
    neutral: list[str] = []
    """The neutral answers that were given and ignored; without a system, all neutral answers."""
    costs: dict[str, float] = {}
    """What the question cost, where the run says it."""


COSTS = ("seconds", "tokens", "money", "steps")


def gold_only(question: Question) -> Explanation:
    """A question without any system: its answers stand where those that were found would."""
    labels = [answer.label for answer in question.answers]
    neutral = [answer.label for answer in question.neutral]
    return Explanation(
        question.id, question.question, question.kind or "", "answered", "", [], labels, [], [], [], neutral
    )


def explained(report: "Report") -> list[Explanation]:
    """The result of each question of a report."""
    return [_explain(report, index) for index in range(report.n)]


def _resolved(report: "Report", index: int) -> tuple[Sequence[Answer], Resolution]:
    """The answers that a prediction fits best, and which of them it names."""
    question, prediction = report.pairs[index]
    predictions = predicted(prediction)
    resolutions = [
        (gold, report.profile.resolve(question, gold, predictions))
        for gold in answer_sets(question, report.setting)
    ]
    return max(resolutions, key=lambda candidate: report.profile.rate(candidate[1]).f1)


def _explain(report: "Report", index: int) -> Explanation:
    question, prediction = report.pairs[index]
    _gold, resolution = _resolved(report, index)
    names: dict[int, list[str]] = {}
    wrong = []
    for text, owner in zip(resolution.predictions, resolution.owners, strict=True):
        if owner == WRONG:
            wrong.append(text)
        else:
            names.setdefault(owner, []).append(text)
    hits = [
        _found(label, names.get(at, []))
        for at, (label, hit) in enumerate(zip(resolution.gold, resolution.found, strict=True))
        if hit
    ]
    missed = [label for label, hit in zip(resolution.gold, resolution.found, strict=True) if not hit]
    failure = None if prediction is None else prediction.failure
    return Explanation(
        id=question.id,
        question=question.question,
        kind=question.kind or "",
        state="missing" if prediction is None else "answered" if failure is None else "failed",
        why=failure or "",
        values=[column.shown(index) for column in report.columns],
        found=hits,
        missed=missed,
        wrong=wrong,
        repeated=list(resolution.repeated),
        neutral=_ignored(report, index),
        costs={} if prediction is None else _costs(prediction),
    )


def _ignored(report: "Report", index: int) -> list[str]:
    """The neutral answers that were given and ignored."""
    if report.neutral is None:
        return []
    question, _ = report.pairs[index]
    named = ignored_names(question, report.neutral.ignored[index], report.profile)
    return [_found(label, names) for label, names in named]


def _costs(prediction: Prediction) -> dict[str, float]:
    given = {name: getattr(prediction, name) for name in COSTS}
    return {name: float(value) for name, value in given.items() if value is not None}


def _found(label: str, names: list[str]) -> str:
    """A found answer; with the predicted name if it differs."""
    others = [name for name in names if name != label]
    return label if not others or len(others) < len(names) else f"{label} ← {', '.join(others)}"


# The verdict on every answer, for spreadsheets and scripts.

_VERDICT_HEADINGS = tuple(
    Heading(name)
    for name in (
        "run",
        "id",
        "question",
        "kind",
        "split",
        "verdict",
        "answer",
        "answer_id",
        "predicted",
        "reason",
    )
)
_FAILED = {"missing": "no prediction", "failed": "the system failed"}


class AnswerVerdict(NamedTuple):
    """What is said of one gold answer or prediction of a question."""

    verdict: Literal["found", "missed", "wrong", "repeated", "neutral", "nothing"]
    """`nothing` is the row of a question without answers to which none were given."""
    answer: str = ""
    answer_id: str = ""
    predicted: str = ""
    reason: str = ""


def verdict_records(runs: Iterable[tuple[str, "Report"]]) -> Table:
    """A row for each answer of each question of each run: found, missed, wrong, repeated or neutral."""
    rows: list[Sequence[Cell]] = [
        [name, question.id, question.question, question.kind or "", question.split or "", *verdict]
        for name, report in runs
        for index, (question, _prediction) in enumerate(report.pairs)
        for verdict in _verdicts(report, index)
    ]
    return Table("", _VERDICT_HEADINGS, rows)


def _verdicts(report: "Report", index: int) -> Iterator[AnswerVerdict]:
    question, prediction = report.pairs[index]
    gold, resolution = _resolved(report, index)
    ids = {answer.label: answer.id or "" for answer in reversed(gold)}
    aligned = [answer.label for answer in gold] == list(resolution.gold)
    names: dict[int, list[str]] = {}
    for text, owner in zip(resolution.predictions, resolution.owners, strict=True):
        names.setdefault(owner, []).append(text)
    state = "missing" if prediction is None else "answered" if prediction.failure is None else "failed"
    reason = resolution.note or _FAILED.get(state, "")
    verdicts = [
        AnswerVerdict(
            "found" if hit else "missed",
            label,
            (gold[at].id or "") if aligned else ids.get(label, ""),
            "; ".join(names.get(at, [])),
            "" if hit else reason,
        )
        for at, (label, hit) in enumerate(zip(resolution.gold, resolution.found, strict=True))
    ]
    verdicts += [AnswerVerdict("wrong", predicted=text) for text in names.get(WRONG, ())]
    verdicts += [AnswerVerdict("repeated", predicted=text) for text in resolution.repeated]
    if report.neutral is not None:
        neutral = {answer.label: answer for answer in reversed(question.neutral)}
        for label, texts in ignored_names(question, report.neutral.ignored[index], report.profile):
            known = neutral.get(label)
            id_, why = ("", "") if known is None else (known.id or "", known.reason)
            verdicts.append(AnswerVerdict("neutral", label, id_, "; ".join(texts), why))
    yield from verdicts or [AnswerVerdict("nothing", reason=reason)]


FrameRow = dict[str, object]
WHOLE = "all"
"""The value of `by` and `group` in the rows for all questions."""
ReportRows = Literal["figures", "questions", "answers"]
ComparisonRows = Literal["figures", "differences", "questions", "answers"]


def report_frame(report: "Report", rows: ReportRows = "figures") -> "pd.DataFrame":
    if rows == "questions":
        return data_frame(_question_rows(report))
    if rows == "answers":
        return _table_frame(report.verdicts()).drop(columns="run")
    if rows != "figures":
        raise RollcallError(f"rows {rows!r:.80} is not known; choose figures, questions or answers")
    whole: FrameRow = {"by": WHOLE, "group": WHOLE} if report.by else {}
    figure_rows = _figure_rows(report.figures, report.n, whole)
    if report.incomplete is not None:
        for measure, row in zip(report.figures, figure_rows, strict=True):
            row |= true_columns(report.incomplete.figures.get(measure))
    for name, groups in report.by.items():
        for key, group in groups.items():
            figure_rows += _figure_rows(group.figures, group.n, {"by": name, "group": key})
    return data_frame(figure_rows)


def comparison_frame(comparison: "Comparison", rows: ComparisonRows = "figures") -> "pd.DataFrame":
    if rows == "differences":
        return data_frame(_difference_rows(comparison))
    if rows == "answers":
        return _table_frame(comparison.verdicts())
    if rows not in ("figures", "questions"):
        raise RollcallError(
            f"rows {rows!r:.80} is not known; choose figures, differences, questions or answers"
        )
    pandas = pandas_library()
    frames = []
    for index, (name, report) in enumerate(zip(comparison.names, comparison.reports, strict=True)):
        frame = report_frame(report, rows)
        if rows == "figures":
            beaten = {
                str(measure): [comparison.names[loser] for loser in comparison.beats(index, measure)]
                for measure in report.measures
            }
            whole = frame["by"] == WHOLE if report.by else [True] * len(frame)
            frame["better_than"] = [
                beaten[measure] if is_whole else None
                for measure, is_whole in zip(frame["measure"], whole, strict=True)
            ]
        frame.insert(0, "run", name)
        frames.append(frame)
    return pandas.concat(frames, ignore_index=True)


def _table_frame(table: Table) -> "pd.DataFrame":
    names = [heading.name for heading in table.headings]
    return pandas_library().DataFrame([list(row) for row in table.rows], columns=names)


def _figure_rows(figures: Mapping[Measure, FigureValue], n: int, of: FrameRow) -> list[FrameRow]:
    rows = []
    for measure, figure in figures.items():
        low, high = figure.interval or (None, None)
        rows.append({**of, "measure": str(measure), "value": figure.value, "low": low, "high": high, "n": n})
    return rows


def _question_rows(report: "Report") -> list[FrameRow]:
    """One row for each question: its values, and which answers were found, missed and wrong."""
    named = {name for question, _ in report.pairs for name in question.characteristics}
    rows: list[FrameRow] = []
    for (question, _), explanation in zip(report.pairs, explained(report), strict=True):
        row: FrameRow = {
            "id": explanation.id,
            "question": explanation.question,
            "kind": question.kind,
            "split": question.split,
            "cluster": question.cluster,
            "answers": len(gold_of(question, report.setting)),
            "state": explanation.state,
        }
        known = question.characteristics
        row |= {name: known.get(name) for name in report.by if name in named and name not in row}
        row |= dict(zip(map(str, report.measures), explanation.values, strict=True))
        row |= {"found": explanation.found, "missed": explanation.missed, "wrong": explanation.wrong}
        row |= {} if report.neutral is None else {"neutral": explanation.neutral}
        rows.append(row)
    return rows


def true_columns(figure: "TrueFigure | None") -> dict[str, object]:
    """The same as columns of a table."""
    bounds = None if figure is None else figure.bounds
    corrected = None if figure is None else figure.corrected
    return {
        "bounds_low": None if bounds is None else bounds.low,
        "bounds_high": None if bounds is None else bounds.high,
        "corrected": None if corrected is None else corrected.value,
        "corrected_low": None if corrected is None else corrected.interval[0],
        "corrected_high": None if corrected is None else corrected.interval[1],
    }


def _difference_rows(comparison: "Comparison") -> list[FrameRow]:
    known = any(difference.true is not None for difference in comparison.differences)
    return [
        {
            "measure": str(difference.measure),
            "first": comparison.names[difference.first],
            "second": comparison.names[difference.second],
            "difference": difference.value,
            **{f"p_{test}": p for test, p in difference.p_values._asdict().items()},
            "corrected_p": difference.corrected_p,
            "significant": difference.corrected_p is not None and difference.corrected_p < comparison.level,
            **({} if not known else {**true_columns(difference.true), "survives": difference.survival}),
        }
        for difference in comparison.differences
    ]
