"""Scoring: gold questions and one system's predictions in, a report of figures out.

All commands use this one function. It pairs records by id, and computes the measures, their intervals and the
requested breakdowns.
"""

import re
from collections.abc import Iterable, Sequence

from rollcall._core.errors import RollcallError
from rollcall.questions import Prediction
from rollcall.questions.question_set import QuestionSet
from rollcall.questions.record import Answer, Question
from rollcall.questions.run import Run
from rollcall.score.breakdown import breakdown, named_characteristics
from rollcall.score.columns import (
    GoldSetting,
    Ratio,
    answer_sets,
    clustered,
    gold_of,
    predicted,
    ratio,
    tabulate,
)
from rollcall.score.judging import JudgedProfile
from rollcall.score.match import foreign, name_keys
from rollcall.score.measure import Measure, lacking
from rollcall.score.pairing import Pairs, Unmatched, pair, some, trial_notes
from rollcall.score.profile import Predicted, Profile
from rollcall.score.report import Report
from rollcall.score.rules import Missing, Rules
from rollcall.score.spread import effective_number, spread
from rollcall.text.nouns import counted

# Runs that answer only a part of a set: a warning if all of it counts, and what several runs share.
# Questions that a system was never asked count as unanswered, so a run over the test split alone would
# get only a part of its figure. The warning says how to score such a run. A run of another set gets no
# such advice (see `rollcall.score.match`).


def coverage_caution(questions: Iterable[Question], run: Run) -> list[str]:
    """A line if a run covers some splits of the gold and no question of the others."""
    sizes: dict[str | None, int] = {}
    answered: set[str | None] = set()
    ids = {prediction.id for prediction in run}
    asked = list(questions)
    for question in asked:
        sizes[question.split] = sizes.get(question.split, 0) + 1
        if question.id in ids:
            answered.add(question.split)
    recorded = {split for split in (run.covers.splits if run.covers else ()) if split in sizes}
    covered = sorted(split for split in answered | recorded if split is not None)
    if not covered or None in answered or len(covered) == len(sizes) or foreign(asked, run) is not None:
        return []
    count = sum(sizes[split] for split in covered)
    named = " and ".join(covered)
    options = " ".join(f"--split {split}" for split in covered)
    argument = repr(covered[0]) if len(covered) == 1 else repr(covered)
    return [
        f"the run covers only the split{'s' * (len(covered) > 1)} {named} ({count:,} of "
        f"{sum(sizes.values()):,} questions), and all others count as unanswered: score it with {options} "
        f"(split={argument} in Python)"
    ]


def unequal_coverage(
    questions: QuestionSet, runs: Sequence[Run], unmatched: Sequence[Unmatched]
) -> list[str]:
    """A line if runs answer different questions and all count, so that a difference may be one of what they
    were asked; it names the remedy, if some questions were answered by all.
    """
    lacking = [set(one.missing) for one in unmatched]
    if all(one == lacking[0] for one in lacking) or any(foreign(questions, run) for run in runs):
        return []
    shared = len({one.id for one in questions}.difference(*lacking))
    if not shared:
        return []
    return [
        "the runs answer different questions, and those without a prediction count as unanswered: --missing "
        f'skip (missing="skip" in Python) compares what all answered ({counted(shared, "question")})'
    ]


def answered_by_all(
    questions: QuestionSet, runs: Sequence[Run], names: Sequence[str]
) -> tuple[QuestionSet, list[str]]:
    """The questions for which every run has a prediction, and a line about those left out; `names` are what
    the runs are called in an error.
    """
    missing = dict.fromkeys(one for run in runs for one in pair(questions, run)[1].missing)
    if not missing:
        return questions, []
    shared = QuestionSet((one for one in questions if one.id not in missing), questions.manifest)
    if not len(shared):
        splits = [_splits(questions, run) for run in runs]
        named = "; ".join(f"{name}: {one}" for name, one in zip(names, splits, strict=True))
        known = f" ({named})" if all(splits) and len(set(splits)) > 1 else ""
        raise RollcallError(
            f"no question was answered by all runs: they answer different questions{known}, so they cannot "
            "be compared; give runs of the same questions"
        )
    left = [one.id for one in questions if one.id in missing]
    told = (
        f"{len(left):,} of {len(questions):,} questions left out, which not every run answered: {some(left)}"
    )
    return shared, [told]


def _splits(questions: QuestionSet, run: Run) -> str:
    """The splits of the questions that a run answers."""
    answered = {one.id for one in run}
    return ", ".join(sorted({one.split for one in questions if one.split and one.id in answered}))


# When intervals cannot be trusted: too few clusters, or clusters with the same score. The limits come
# from `benchmarks/bench_intervals.py`: with five clusters or more, intervals cover what they claim,
# unless a few clusters all have the same score.

FEW = 5
"""With fewer clusters (of equal size), no method can estimate how figures vary."""
FEW_ALIKE = 30
"""With fewer clusters, all may have the same score by chance."""
FEW_APART = 20
"""Near 0 or 1, this many clusters of unequal size must differ from the rest."""
NEAR = 0.1
UNEQUAL = 0.9


def cautions(report: "Report") -> list[str]:
    """A line for each reason not to trust the intervals of a report."""
    clusters = report.clusters
    if report.confidence is None or not clusters:
        return []
    sizes = [len(cluster) for cluster in clusters]
    if (few := few_clusters(sizes)) is not None:
        return [few]
    unequal = effective_number(sizes) < UNEQUAL * len(sizes)
    ratios = {column.measure: ratio(column, clusters) for column in report.columns}
    alike = [str(name) for name, one in ratios.items() if len(clusters) < FEW_ALIKE and _alike(one)]
    shares = {str(measure): one for measure, one in ratios.items() if measure.is_share}
    ends = [name for name, one in shares.items() if unequal and name not in alike and _near_an_end(one)]
    lines = []
    if alike:
        lines.append(
            f"all {len(clusters)} clusters have the same {', '.join(alike)}, so its variance cannot be "
            "estimated: the interval is as wide as so few clusters allow"
        )
    if ends:
        lines.append(
            f"near 0 or 100 %, few of the {len(clusters)} clusters differ from the rest in "
            f"{', '.join(ends)}: the interval may be too narrow"
        )
    return lines


def _alike(one: Ratio) -> bool:
    known = spread(one)
    return known is not None and not known.variance


def _near_an_end(one: Ratio) -> bool:
    """Whether a share is near 0 or 1 and few clusters differ from that."""
    value = one.value
    if value is None or NEAR < value < 1 - NEAR:
        return False
    end = round(value)
    return sum(above != end * below for above, below in zip(*one, strict=True)) < FEW_APART


def few_clusters(sizes: list[int]) -> str | None:
    """A warning for figures based on too few clusters, given the clusters' sizes."""
    if len(sizes) == 1:
        return "all questions are of one cluster, so there is no interval" if sizes[0] > 1 else None
    effective = effective_number(sizes)
    if effective >= FEW:
        return None
    worth = "" if len(sizes) < FEW else f" of such unequal size that they count as {effective:.1f}"
    return (
        f"{len(sizes)} clusters{worth} are too few to estimate how figures vary: "
        "intervals and tests are rough"
    )


# Notices answers that are one string with several gold names in it, where a list was probably meant. A
# string stays one answer, because names have commas and "and", too; a warning says what it looks like.

_BETWEEN = re.compile(
    r"""[,;:|/\n•·]                          # a comma, a line, a bullet inside a line
      | (?:^|(?<=\s))[-–—*+&](?=\s)          # a bullet, a dash or a sign between spaces
      | (?:^|(?<=\s))\(?\d{1,3}[.)](?=\s)    # the number of an item
      | \b(?:and|or|und|oder|et|ou|og|och)\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""What may stand between the names of a list in one string. Names may have it, too: see `_named`."""
_SIGNS = (";", "\n", " and ", " or ", " & ")
"""What is looked for where there are several strings: commas are in too many names."""
_LONGEST = 6
"""The most parts between separators that one name has."""
_SEVERAL = 2


def joined_answers(pairs: Pairs, profile: Profile, setting: GoldSetting) -> list[str]:
    """A line if answers of some questions are strings that hold several gold names each."""
    if isinstance(profile, JudgedProfile):
        return []  # a model reads the whole text
    ids = []
    for question, prediction in pairs:
        said, gold = predicted(prediction), gold_of(question, setting)
        if len(gold) < _SEVERAL or not _may_be_lists(said):
            continue
        named = _named([one for one in said if isinstance(one, str)], gold)
        several = any(len(places) >= _SEVERAL for places in named)
        if several and profile.judge(question, gold, said)[0].found < len(set().union(*named)):
            ids.append(question.id)
    if not ids:
        return []
    of = f"{len(ids):,} question{'s' * (len(ids) > 1)}"
    return [f"answers of {of} hold several gold names in one string ({some(ids)}); give a list"]


def _may_be_lists(said: Sequence[Predicted]) -> bool:
    """Whether there is anything between names: asked of every question, so it is quick."""
    try:
        together = "\x1f".join(said)  # type: ignore[arg-type]
    except TypeError:  # entities, which have ids
        together = "\x1f".join(one for one in said if isinstance(one, str))
    if len(said) == 1:
        return _BETWEEN.search(together) is not None
    return any(map(together.__contains__, _SIGNS))


def _named(texts: Sequence[str], gold: Sequence[Answer]) -> list[set[int]]:
    """For each text the places of the gold answers that its parts name.

    Several parts together may be one name (Trinidad and Tobago): the longest name counts.
    """
    names = [(name, place) for place, one in enumerate(gold) for name in (one.label, *one.aliases)]
    known: dict[bytes, int] = {}
    for key, (_, place) in zip(name_keys([name for name, _ in names]), names, strict=True):
        known.setdefault(key, place)
    return [_places(text, known) for text in texts]


def _places(text: str, known: dict[bytes, int]) -> set[int]:
    cuts = [(0, 0), *(match.span() for match in _BETWEEN.finditer(text)), (len(text), len(text))]
    starts, ends = [end for _, end in cuts[:-1]], [start for start, _ in cuts[1:]]
    found: set[int] = set()
    part = 0
    while part < len(starts):
        reach = range(part, min(part + _LONGEST, len(ends)))
        keys = name_keys([text[starts[part] : ends[last]].replace("\n", " ").strip() for last in reach])
        named = [last for last, key in zip(reach, keys, strict=True) if key and key in known]
        if named:
            found.add(known[keys[named[-1] - part]])
        part = named[-1] + 1 if named else part + 1
    return found


def score_records(question_set: QuestionSet, run: Run, rules: Rules) -> Report:
    """The report of records that were already checked."""
    profile, setting = rules.scorer, rules.setting
    pairs, unmatched = pair(question_set, run)
    unmatched.missing_left_out = rules.missing == "skip"
    warnings = [*question_set.manifest.get("warnings", []), *run.warnings]
    if not len(run):
        warnings.append(f"{run.name or 'the run'}: holds no prediction")
    if rules.missing == "count":
        warnings += coverage_caution(question_set, run)
    pairs, left_out = _chosen(pairs, setting, rules.missing, rules.drop_empty)
    warnings += trial_notes(pairs)
    warnings += joined_answers(pairs, profile, setting)
    chosen = rules.chosen_measures or _default_measures(profile, pairs, setting)
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
        clusters=clustered((place, one.id, one.cluster) for place, (one, _) in enumerate(pairs)),
        unmatched=unmatched,
        warnings=[
            *dict.fromkeys([*warnings, *left_out, *table.warnings, *_empty_gold(pairs, profile, setting)])
        ],
        confidence=rules.confidence,
        name=run.name,
    )
    report.figures = dict(zip(chosen, report.over(report.clusters), strict=True))
    report.warnings += [
        f"no question counts for {measure}" for measure, one in report.figures.items() if one.value is None
    ]
    extreme = any(measure.extreme is not None for measure in chosen)
    if pairs and extreme and len(report.clusters) == len(pairs):
        report.warnings.append("no two questions share a cluster, so a worst case is the question itself")
    report.warnings += cautions(report)
    for name in named_characteristics(rules.characteristics, report):
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
        kept = [one for one in kept if one[1] is not None]
    if drop_empty:
        empty = [question.id for question, _ in kept if not question.answers]
        kept = [one for one in kept if one[0].answers]
        notes += (
            [f"{counted(len(empty), 'question')} without a complete answer left out ({some(empty)})"]
            if empty
            else []
        )
    return kept, notes


def _only_passages(run: Run) -> bool:
    return any(one.retrieved for one in run) and not any(one.answers for one in run)


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
