"""Scoring: gold questions and one system's predictions in, a report of figures out.

All commands use this one function. It pairs records by id, and computes the measures, their intervals and the
requested breakdowns.
"""

import math
import re
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from rollcall._core.errors import RollcallError
from rollcall._core.registry import is_built_in, plugin_failures
from rollcall._core.workers import collection_paused
from rollcall.questions import Prediction
from rollcall.questions.question_set import QuestionSet
from rollcall.questions.record import Answer, Question
from rollcall.questions.run import Run
from rollcall.score.breakdown import breakdown, named_characteristics
from rollcall.score.figures import MeasureColumn, clustered, interval_cautions
from rollcall.score.judging import JudgedProfile
from rollcall.score.match import Match, name_keys
from rollcall.score.measure import Measure, check_needs, lacking
from rollcall.score.measures import (
    AnswerMeasure,
    CostMeasure,
    ListMeasure,
    OwnMeasure,
    PassageMeasure,
    RecordMeasure,
    Retrieval,
    progress,
)
from rollcall.score.neutral import without_neutral
from rollcall.score.options import GoldSetting, Missing, ScoringOptions
from rollcall.score.pairing import (
    Pairs,
    answer_sets,
    coverage_caution,
    gold_of,
    pair,
    predicted,
    some,
    trial_notes,
)
from rollcall.score.profile import Predicted, Profile
from rollcall.score.profiles import PROFILES
from rollcall.score.report import Report
from rollcall.score.rules import chosen_characteristics, chosen_measures, chosen_profile
from rollcall.text.nouns import counted


def score_records(question_set: QuestionSet, run: Run, options: ScoringOptions) -> Report:
    """The report of records that were already checked."""
    profile, setting = chosen_profile(options), options.setting
    pairs, unmatched = pair(question_set, run)
    unmatched.missing_left_out = options.missing == "skip"
    warnings = [*question_set.manifest.get("warnings", []), *run.warnings]
    if not len(run):
        warnings.append(f"{run.name or 'the run'}: holds no prediction")
    if options.missing == "count":
        warnings += coverage_caution(question_set, run)
    pairs, left_out = _chosen(pairs, setting, options.missing, options.drop_empty)
    warnings += trial_notes(pairs)
    pairs, neutral = without_neutral(pairs, profile, setting, options.neutral)
    warnings += joined_answers(pairs, profile, setting)
    chosen = chosen_measures(options) or _default_measures(profile, pairs, setting)
    if any("answers" in measure.kind.needs for measure in chosen) and _only_passages(run):
        warnings.append("the run holds retrieved passages and no answers: measure it by ARecall@K, ERecall@K")
    if isinstance(profile, JudgedProfile):
        profile.consult(
            [
                (question, gold, predicted(prediction))
                for question, prediction in pairs
                for gold in answer_sets(question, setting)
            ]
        )
    table = tabulate(pairs, profile, chosen, setting)
    report = Report(
        profile=profile,
        setting=setting,
        pairs=pairs,
        columns=table.columns,
        clusters=clustered(
            (index, question.id, question.cluster) for index, (question, _) in enumerate(pairs)
        ),
        unmatched=unmatched,
        warnings=[
            *dict.fromkeys([*warnings, *left_out, *table.warnings, *_empty_gold(pairs, profile, setting)])
        ],
        confidence=options.confidence,
        name=run.name,
        neutral=neutral,
    )
    report.figures = dict(zip(chosen, report.over(report.clusters), strict=True))
    report.warnings += [
        f"no question counts for {measure}"
        for measure, figure in report.figures.items()
        if figure.value is None
    ]
    extreme = any(measure.extreme is not None for measure in chosen)
    if pairs and extreme and len(report.clusters) == len(pairs):
        report.warnings.append("no two questions share a cluster, so a worst case is the question itself")
    report.warnings += interval_cautions(report.columns, report.clusters, report.confidence)
    for name in named_characteristics(chosen_characteristics(options), report):
        report.by[name] = breakdown(report, name)
    return report


def _chosen(
    pairs: Pairs, setting: GoldSetting, missing: Missing, drop_empty: bool
) -> tuple[list[tuple[Question, Prediction | None]], list[str]]:
    """The pairs that are scored, and a line about those left out."""
    if setting == "closed" and pairs and not any(question.candidates for question, _ in pairs):
        raise RollcallError("the gold has no candidates, so there is no closed setting to score")
    kept, notes = list(pairs), []
    if missing == "skip":
        kept = [entry for entry in kept if entry[1] is not None]
    if drop_empty:
        empty = [question.id for question, _ in kept if not question.answers]
        kept = [entry for entry in kept if entry[0].answers]
        notes += (
            [f"{counted(len(empty), 'question')} without a complete answer left out ({some(empty)})"]
            if empty
            else []
        )
    return kept, notes


def _only_passages(run: Run) -> bool:
    return any(prediction.retrieved for prediction in run) and not any(
        prediction.answers for prediction in run
    )


def _empty_gold(pairs: Pairs, profile: Profile, setting: GoldSetting) -> list[str]:
    ids = [question.id for question, _ in pairs if not gold_of(question, setting)]
    if not ids:
        return []
    hint = ", as RoMQA's own command does" if profile.name == "romqa" else ""
    return [
        f"{'all ' * (len(ids) == len(pairs) > 1)}{counted(len(ids), 'question has', 'questions have')} no "
        f"{setting} gold answers ({some(ids)}): there, saying nothing counts as "
        f"the profile says; --drop-empty leaves them out{hint}"
    ]


def _default_measures(profile: Profile, pairs: Pairs, setting: GoldSetting) -> list[Measure]:
    """The profile's measures, without those whose data is missing (not every run records its time)."""
    is_clustered = any(question.cluster is not None for question, _ in pairs)
    texts = profile.measures(closed=setting == "closed", clustered=is_clustered)
    defaults = [Measure.parse(text) for text in texts]
    return [measure for measure in defaults if lacking(measure, pairs) is None] or defaults


MatchMeasure = AnswerMeasure | OwnMeasure | CostMeasure
"""The kinds of measure that are computed from a question's match."""


class Tabulated(NamedTuple):
    """The columns, and warnings about some questions."""

    columns: list[MeasureColumn]
    warnings: list[str]


@collection_paused()
def tabulate(pairs: Pairs, profile: Profile, measures: Sequence[Measure], setting: GoldSetting) -> Tabulated:
    """Compute every measure for every pair."""
    columns = [_empty_column(measure) for measure in measures]
    of_answers: dict[int | None, list[tuple[MeasureColumn, MatchMeasure]]] = defaultdict(list)
    of_passages: dict[type[PassageMeasure], list[tuple[MeasureColumn, PassageMeasure]]] = defaultdict(list)
    for column in columns:
        check_needs(column.measure, pairs)
        kind = column.measure.kind
        _check_profile(column.measure, profile)
        if isinstance(kind, MatchMeasure):
            of_answers[kind.depth].append((column, kind))
        elif isinstance(kind, PassageMeasure):
            of_passages[type(kind)].append((column, kind))
        elif isinstance(kind, ListMeasure):
            _fill_from_lists(pairs, profile, setting, column, kind)
        elif isinstance(kind, RecordMeasure):
            _fill_from_records(pairs, column, kind)
    odd: dict[str, dict[str, None]] = {}
    for depth, group in of_answers.items():
        _fill_from_answers(pairs, profile, setting, depth, group, odd)
    for same_kind in of_passages.values():
        _fill_from_passages(pairs, profile, setting, same_kind)
    for column in columns:
        _check_values(column, pairs)
        if column.measure.threshold is not None:
            column.values[:] = [column.measure.reached(value) for value in column.values]
    warnings = [f"{len(ids)} with {reason} ({some(list(ids))})" for reason, ids in odd.items()]
    return Tabulated(columns, warnings)


def _fill_from_answers(
    pairs: Pairs,
    profile: Profile,
    setting: GoldSetting,
    depth: int | None,
    columns: list[tuple[MeasureColumn, MatchMeasure]],
    odd: dict[str, dict[str, None]],
) -> None:
    """Fill all columns that use the same number of predictions."""
    matches = []
    with plugin_failures(f"the profile {profile.name}", profile):
        for question, prediction in pairs:
            match, warning = _best_match(question, profile, setting, predicted(prediction), depth)
            matches.append(match)
            if warning is not None:
                odd.setdefault(warning, {})[question.id] = None
    judged = [match.judged for match in matches]
    in_means = [match.in_means and match.judged for match in matches]
    for column, kind in columns:
        with plugin_failures(str(column.measure), kind):
            if isinstance(kind, CostMeasure):
                _fill_with_costs(pairs, matches, column, kind)
            elif isinstance(kind, OwnMeasure):
                for match in matches:
                    _add(column, kind.value(match) if match.judged else None)
            else:
                value = kind.value
                column.values.extend([value(match) for match in matches])
                column.counts.extend(in_means if kind.skips_empty_gold else judged)


def _fill_with_costs(
    pairs: Pairs, matches: Sequence[Match], column: MeasureColumn, kind: CostMeasure
) -> None:
    """Fill a column with what each question cost, and with the right answers that this bought."""
    assert column.per is not None
    for (_, prediction), match in zip(pairs, matches, strict=True):
        _add(column, None if prediction is None or not match.judged else kind.cost(prediction))
        column.per.append(float(match.found))


def _fill_from_lists(
    pairs: Pairs, profile: Profile, setting: GoldSetting, column: MeasureColumn, kind: ListMeasure
) -> None:
    with plugin_failures(f"the profile {profile.name}", profile), plugin_failures(str(column.measure), kind):
        for question, prediction in pairs:
            predictions = predicted(prediction)
            golds = answer_sets(question, setting)
            if len(golds) > 1:
                golds.sort(key=lambda gold: profile.match(question, gold, predictions).f1, reverse=True)
            _add(column, kind.value(progress(profile, question, golds[0], predictions)))


def _best_match(
    question: Question,
    profile: Profile,
    setting: GoldSetting,
    predictions: Sequence[Predicted],
    cut: int | None,
) -> tuple[Match, str | None]:
    if setting == "complete" and not question.alternatives:
        return profile.judge(question, question.answers, predictions, cut)
    judged = [profile.judge(question, gold, predictions, cut) for gold in answer_sets(question, setting)]
    return max(judged, key=lambda result: (result[0].f1, result[0].recall))


def _fill_from_passages(
    pairs: Pairs, profile: Profile, setting: GoldSetting, columns: list[tuple[MeasureColumn, PassageMeasure]]
) -> None:
    """Fill all columns of one kind of measure, which differ only in the number of passages they use."""
    depths = [kind.depth for _, kind in columns]
    deepest = None if None in depths else max(depth for depth in depths if depth is not None)
    with plugin_failures(f"the profile {profile.name}", profile):
        for question, prediction in pairs:
            passages = [] if prediction is None else prediction.retrieved[:deepest]
            gold = profile.entities(gold_of(question, setting))
            retrieval = Retrieval(question, gold, passages, profile)
            for column, kind in columns:
                with plugin_failures(str(column.measure), kind):
                    _add(column, kind.value(retrieval))
    for column, _ in columns:
        if not any(column.counts):
            raise RollcallError(f"{column.measure}: no gold answer has what it is measured by")


def _fill_from_records(pairs: Pairs, column: MeasureColumn, kind: RecordMeasure) -> None:
    with plugin_failures(str(column.measure), kind):
        for _, prediction in pairs:
            _add(column, None if prediction is None else kind.value(prediction))


def _add(column: MeasureColumn, value: float | None) -> None:
    """Add the value of the next question; one without a value does not count."""
    column.values.append(0.0 if value is None else value)
    column.counts.append(value is not None)


def _empty_column(measure: Measure) -> MeasureColumn:
    return MeasureColumn(measure, [], [], [] if isinstance(measure.kind, CostMeasure) else None)


def _check_profile(measure: Measure, profile: Profile) -> None:
    """Refuse a measure that the profile cannot compute."""
    kind = measure.kind
    if isinstance(kind, OwnMeasure) and kind.figure not in profile.own_figures:
        homes = [entry.name for entry in PROFILES if kind.figure in entry.thing.own_figures]
        raise RollcallError(
            f"{measure} is a figure of the profile {' or '.join(homes) or 'of its own'}, and {profile.name} "
            "does not define it; choose another --profile or other --measures"
        )
    if isinstance(kind, ListMeasure) and profile.reads_whole:
        raise RollcallError(
            f"{measure} needs answers one by one, and the profile {profile.name} reads a response as a "
            "whole; choose another --profile, such as entity"
        )


def _check_values(column: MeasureColumn, pairs: Pairs) -> None:
    """Refuse values that are not numbers, or not shares; Rollcall's measures are not checked, for speed."""
    measure = column.measure
    if is_built_in(measure.kind):
        return
    for value, (question, _) in zip(column.values, pairs, strict=True):
        if not isinstance(value, int | float) or not math.isfinite(value):
            wanted = "a number"
        elif measure.is_share and not 0 <= value <= 1:
            wanted = "a share from 0 to 1; if it is meant, give the measure a unit"
        else:
            continue
        raise RollcallError(f"{measure} of question {question.id!r:.80} is {value!r:.80}, not {wanted}")


# Notices answers that are one string with several gold names in it, where a list was probably meant. A
# string stays one answer, because names have commas and "and", too; a warning says what it looks like.

_BETWEEN = re.compile(
    r"""[,;:|/\t\n•·、，；()\[\]]              # a comma, a line, a cell, a bullet inside a line, a remark
      | \*\*                               # the start or end of bold text in Markdown
      | (?:^|(?<=\s))[-–—*+&](?=\s)          # a bullet, a dash or a sign between spaces
      | (?:^|(?<=\s))\(?\d{1,3}[.)](?=\s)    # the number of an item
      | \b(?:both|and|or|as\ well\ as|und|oder|et|ou|og|och)\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""What may stand between the names of a list in one string. Names may have it, too: see `_named`."""
_SIGNS = (",", ";", "\n", " and ", " or ", " & ")
"""What is looked for where there are several strings."""
_LONGEST = 6
"""The most parts between separators that one name has."""
_SEVERAL = 2


def joined_answers(pairs: Pairs, profile: Profile, setting: GoldSetting) -> list[str]:
    """A line if answers of some questions are strings that hold several gold names each."""
    if isinstance(profile, JudgedProfile):
        return []  # a model reads the whole text
    ids = []
    for question, prediction in pairs:
        predictions, gold = predicted(prediction), gold_of(question, setting)
        if len(gold) < _SEVERAL or not _may_be_lists(predictions):
            continue
        named = _named([text for text in predictions if isinstance(text, str)], gold)
        several = any(len(places) >= _SEVERAL for places in named)
        if several and profile.judge(question, gold, predictions)[0].found < len(set().union(*named)):
            ids.append(question.id)
    if not ids:
        return []
    of = f"{len(ids):,} question{'s' * (len(ids) > 1)}"
    return [f"answers of {of} hold several gold names in one string ({some(ids)}); give a list"]


def _may_be_lists(predictions: Sequence[Predicted]) -> bool:
    """Whether there is anything between names: asked of every question, so it is quick."""
    try:
        together = "\x1f".join(predictions)  # type: ignore[arg-type]
    except TypeError:  # entities, which have ids
        together = "\x1f".join(text for text in predictions if isinstance(text, str))
    if len(predictions) == 1:
        return _BETWEEN.search(together) is not None
    return any(map(together.__contains__, _SIGNS))


def _named(texts: Sequence[str], gold: Sequence[Answer]) -> list[set[int]]:
    """For each text the places of the gold answers that its parts name.

    Several parts together may be one name (Trinidad and Tobago): the longest name counts.
    """
    names = [(name, index) for index, answer in enumerate(gold) for name in (answer.label, *answer.aliases)]
    known: dict[bytes, int] = {}
    for key, (_, index) in zip(name_keys([name for name, _ in names]), names, strict=True):
        known.setdefault(key, index)
    return [_places(text, known) for text in texts]


def _places(text: str, known: dict[bytes, int]) -> set[int]:
    cuts = [(0, 0), *(match.span() for match in _BETWEEN.finditer(text)), (len(text), len(text))]
    starts, ends = [end for _, end in cuts[:-1]], [start for start, _ in cuts[1:]]
    indices: set[int] = set()
    part = 0
    while part < len(starts):
        reach = range(part, min(part + _LONGEST, len(ends)))
        keys = name_keys([text[starts[part] : ends[last]].replace("\n", " ").strip() for last in reach])
        named = [last for last, key in zip(reach, keys, strict=True) if key and key in known]
        if named:
            indices.add(known[keys[named[-1] - part]])
        part = named[-1] + 1 if named else part + 1
    return indices
