"""Every measure's value for every question: the table from which all figures are computed.

Each question is resolved once for each number of predictions that a measure uses. A question with several
answer sets is compared with the one that fits best.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from rollcall._core.errors import RollcallError
from rollcall._core.registry import is_built_in, plugin_failures
from rollcall._core.workers import collection_paused
from rollcall.questions.record import Answer, Question
from rollcall.questions.run import Prediction
from rollcall.score.match import Match
from rollcall.score.measure import Measure, check_needs
from rollcall.score.measure_kind import (
    AnswerMeasure,
    CostMeasure,
    ListMeasure,
    OwnMeasure,
    PassageMeasure,
    RecordMeasure,
    progress,
)
from rollcall.score.pairing import Pairs, some
from rollcall.score.profile import Predicted, Profile
from rollcall.score.profiles import PROFILES
from rollcall.score.retrieval import Retrieval
from rollcall.score.spread import interval

# Figures with their confidence intervals: means over questions, worst cases over clusters. Every figure
# is a ratio of sums over clusters (a question without a cluster is a cluster of its own), so all have
# the same kind of interval. Its unit is the cluster, because questions of one cluster are not
# independent. Sums are exact, so the order of the questions does not change any digit.


class Figure(NamedTuple):
    """A value with its interval; no value if no question counts, no interval if none was requested."""

    value: float | None
    interval: tuple[float, float] | None = None


class FigureGroup(NamedTuple):
    """The figures of a part of the questions."""

    n: int
    figures: dict[Measure, Figure]


class Ratio(NamedTuple):
    """A figure before division: the numerator and denominator of each cluster."""

    above: list[float]
    below: list[float]

    @property
    def value(self) -> float | None:
        below = math.fsum(self.below)
        return math.fsum(self.above) / below if below else None


class MeasureColumn(NamedTuple):
    """One measure's value for every question; `counts` says which are part of the mean."""

    measure: Measure
    values: list[float]
    counts: list[bool]
    per: list[float] | None = None
    """For a measure that is a ratio of sums: what each value is divided by, such as the right answers."""

    def shown(self, place: int) -> float | None:
        """The value of one question by itself; None if it has none."""
        if not self.counts[place] and self.measure.extreme is None:
            return None
        if self.per is None:
            return self.values[place]
        return self.values[place] / self.per[place] if self.per[place] else None


def ratio(column: MeasureColumn, clusters: Sequence[Sequence[int]]) -> Ratio:
    """A measure over clusters of question positions; clusters without a counted question are left out."""
    values, counts, extreme = column.values, column.counts, column.measure.extreme
    if extreme is not None:
        chosen = [extreme(values[place] for place in cluster) for cluster in clusters]
        return Ratio(chosen, [1.0] * len(chosen))
    above, below = [], []
    for cluster in clusters:
        if column.per is not None:
            counted_places = [place for place in cluster if counts[place]]
            above.append(math.fsum(values[place] for place in counted_places))
            below.append(math.fsum(column.per[place] for place in counted_places))
        elif len(cluster) == 1:
            place = cluster[0]
            above.append(values[place] if counts[place] else 0.0)
            below.append(1.0 if counts[place] else 0.0)
        else:
            counted = [values[place] for place in cluster if counts[place]]
            above.append(math.fsum(counted))
            below.append(float(len(counted)))
    return Ratio(above, below)


def mean(column: MeasureColumn, clusters: Sequence[Sequence[int]]) -> float | None:
    """The plain value of a measure, without the sums that an interval needs."""
    if column.measure.extreme is not None or column.per is not None:
        return ratio(column, clusters).value
    places = [place for cluster in clusters for place in cluster if column.counts[place]]
    return math.fsum(column.values[place] for place in places) / len(places) if places else None


def figures(
    columns: Sequence[MeasureColumn], clusters: Sequence[Sequence[int]], *, confidence: float | None = None
) -> list[Figure]:
    """The figure of each column over the clusters, with its interval if a confidence is given."""
    if confidence is None:
        return [Figure(mean(column, clusters)) for column in columns]
    return [bounded(ratio(column, clusters), confidence, share=column.measure.is_share) for column in columns]


def bounded(one: Ratio, confidence: float | None, *, share: bool = True) -> Figure:
    """The figure of a ratio, with its interval if a confidence is given."""
    return Figure(one.value, None if confidence is None else interval(one, confidence, share=share))


def clustered(keys: Iterable[tuple[int, str, str | None]]) -> list[list[int]]:
    """Positions grouped by cluster, in an order that depends only on ids.

    Each key is a question's position, its id and its cluster.
    """
    single: dict[str, list[int]] = {}
    groups: dict[str, list[tuple[str, int]]] = {}
    for place, identity, cluster in keys:
        if cluster is None:
            single.setdefault(identity, []).append(place)
        else:
            groups.setdefault(cluster, []).append((identity, place))
    shared = [[place for _, place in sorted(groups[name])] for name in sorted(groups)]
    return [single[identity] for identity in sorted(single)] + shared


GoldSetting = Literal["complete", "closed"]
MatchMeasure = AnswerMeasure | OwnMeasure | CostMeasure
"""The kinds of measure that are computed from a question's match."""


class Tabulated(NamedTuple):
    """The columns, and warnings about some questions."""

    columns: list[MeasureColumn]
    warnings: list[str]


def gold_of(question: Question, setting: GoldSetting) -> Sequence[Answer]:
    """The answers that predictions are compared with: the complete set, or the right candidates."""
    if setting == "closed":
        return [candidate for candidate in question.candidates if candidate.is_answer]
    return question.answers


def answer_sets(question: Question, setting: GoldSetting) -> list[Sequence[Answer]]:
    """All answer sets that a prediction may fit: the gold, and those of other annotators if there are any."""
    alternatives = question.alternatives if setting == "complete" else []
    return [gold_of(question, setting), *alternatives]


def predicted(prediction: Prediction | None) -> Sequence[Predicted]:
    """The answers that count as predicted; none if the system failed."""
    return [] if prediction is None or prediction.failure is not None else prediction.answers


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
            said = predicted(prediction)
            golds = answer_sets(question, setting)
            if len(golds) > 1:
                golds.sort(key=lambda gold: profile.match(question, gold, said).f1, reverse=True)
            _add(column, kind.value(progress(profile, question, golds[0], said)))


def _best_match(
    question: Question, profile: Profile, setting: GoldSetting, said: Sequence[Predicted], cut: int | None
) -> tuple[Match, str | None]:
    if setting == "complete" and not question.alternatives:
        return profile.judge(question, question.answers, said, cut)
    judged = [profile.judge(question, gold, said, cut) for gold in answer_sets(question, setting)]
    return max(judged, key=lambda one: (one[0].f1, one[0].recall))


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
