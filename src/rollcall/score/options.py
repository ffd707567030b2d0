"""The options of `score`, `compare` and `expand`, for Python and the command line.

`SplitOptions`    which questions of a set are chosen
`GoldOptions`     how their file is read
`ScoringOptions`  how a run is scored, by these verbs and by everything else that scores
`ScoreOptions`, `CompareOptions`, `ExpandOptions`  what each verb adds
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from rollcall._core.errors import RollcallError
from rollcall._core.options import LARGEST_SEED, PYTHON_ONLY, OnCommandLine, Options
from rollcall.questions.formats import AnswersAs

if TYPE_CHECKING:
    from rollcall.questions.given import Predictions, Questions
    from rollcall.score.incomplete.estimate import GivenAudit, GivenCompleteness
    from rollcall.score.judging import Judge
    from rollcall.score.rules import GivenMeasures, GivenProfile

GoldSetting = Literal["complete", "closed"]
Missing = Literal["count", "skip"]
NeutralAre = Literal["count", "ignore", "wrong"]
"""What a prediction of a neutral answer is: required like all others, removed before scoring, or wrong."""
Test = Literal["t", "bootstrap", "permutation"]
Correction = Literal["holm", "bonferroni", "none"]
Lookup = Literal["exact", "normalised"]
Homonyms = Literal["all", "commonest", "skip"]


class SplitOptions(Options, frozen=True, kw_only=True):
    """Which questions of a set are chosen."""

    split: Annotated[str | Sequence[str] | None, OnCommandLine(list[str])] = None
    """Only questions of this split; may be repeated."""


class GoldOptions(SplitOptions, frozen=True, kw_only=True):
    """Which questions are chosen, and how their file is read."""

    answers: Annotated[AnswersAs | None, OnCommandLine(shown="as the keys say")] = None
    """What a list of strings is: a set of answers, or names of one answer."""
    file_format: Annotated[
        str | None, OnCommandLine(names=("--format", "-f"), metavar="NAME", shown="recognised")
    ] = None
    """Format of a gold file; `rollcall plugins --kind formats` lists them, or module:name."""


class ScoringOptions(GoldOptions, frozen=True, kw_only=True):
    """How a run is scored."""

    profile: Annotated["GivenProfile", OnCommandLine(str, after="")] = "entity"
    """How predictions are matched; `rollcall measures` lists profiles; or module:name."""
    measures: Annotated["GivenMeasures", OnCommandLine(str, shown="the profile's")] = None
    """Measures, separated by commas: F1,R>=0.8,P@10,min(F1), or module:name."""
    by: Annotated[str | Sequence[str], OnCommandLine(str)] = ()
    """Break down by characteristics, separated by commas, or `all`."""
    setting: Annotated[GoldSetting, OnCommandLine(names=("--gold",), after="split")] = "complete"
    """RoMQA: the complete answers, or the candidates."""
    completeness: Annotated["GivenCompleteness", OnCommandLine(str, metavar="SHARE|FILE")] = None
    """The share of all right answers that gold has, or a file with one for each kind: bounds of the true P, R
    and F1."""
    audit: Annotated["GivenAudit", OnCommandLine(Path, metavar="DIR")] = None
    """The folder of an audit: true figures by its completeness and judgments."""
    missing: Annotated[Missing, OnCommandLine(after="file_format")] = "count"
    """Unanswered questions: count as wrong, or leave out."""
    drop_empty: bool = False
    """Leave out questions without any complete answer."""
    neutral: Annotated[NeutralAre | None, OnCommandLine(shown="as the profile says")] = None
    """What a prediction of a neutral answer is: ignored, required like all others (count), or wrong."""
    confidence: Annotated[float | None, OnCommandLine(float, least=0.5, most=0.999)] = 0.95
    """The confidence of the intervals."""
    judges: Annotated["Sequence[Judge]", PYTHON_ONLY] = ()
    """Language models for profiles that ask one: the first makes the figures, others are shown beside it."""


class ScoreOptions(ScoringOptions, frozen=True, kw_only=True):
    """The options of `score`."""

    robustness: Annotated[bool, OnCommandLine(after="setting")] = False
    """How scores drop inside clusters, and on what that depends."""
    expand: Annotated[Path | str | None, OnCommandLine(Path)] = None
    """A graph: also score with the names it adds."""
    lookup: Lookup = "exact"
    """How a gold string is found among the graph's names."""
    homonyms: Homonyms = "all"
    """What to do if a string means several entities."""
    newly_right: Annotated[Path | str | None, OnCommandLine(Path, default=Path("newly_right.jsonl"))] = None
    """The file for predictions that --expand made right, for people to judge."""
    extended: Annotated["Questions | None", OnCommandLine(Path)] = None
    """The same questions with more answers: also score with them."""
    fail_below: Annotated[
        Mapping[str, float] | Sequence[str], OnCommandLine(list[str], metavar="MEASURE=VALUE")
    ] = ()
    """Fail if a figure is lower: F1=0.5; may be repeated."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.expand is None and (self.lookup != "exact" or self.homonyms != "all"):
            raise RollcallError("--lookup and --homonyms are for the names of a graph: give --expand GRAPH")


class CompareOptions(ScoringOptions, frozen=True, kw_only=True):
    """The options of `compare`."""

    test: Annotated[Test, OnCommandLine(after="setting")] = "permutation"
    """The paired test that decides the marks."""
    correction: Correction = "holm"
    """Correction for the number of comparisons."""
    level: Annotated[float, OnCommandLine(least=0.0, most=1.0)] = 0.05
    """Differences with p below this level are marked."""
    fail_if_worse: bool = False
    """Fail if a run is significantly worse than the first one in any measure."""
    resamples: Annotated[
        int | None,
        OnCommandLine(least=0, shown="as many as the correction needs, 10000 at least", after="neutral"),
    ] = None
    """Random draws of the tests; 0 for none."""
    seed: Annotated[int, OnCommandLine(least=0, most=LARGEST_SEED, after="confidence")] = 0
    """The seed of the random draws."""
    names: Annotated[Sequence[str] | None, PYTHON_ONLY] = None
    """What the runs are called, in place of the names of their files."""


class ExpandOptions(GoldOptions, frozen=True, kw_only=True):
    """The options of `expand`."""

    out: Annotated[Path | str | None, PYTHON_ONLY] = None
    """The folder for the expanded question set; without it, nothing is written."""
    lookup: Annotated[Lookup, OnCommandLine(after="")] = "exact"
    """How a gold string is found among the graph's names."""
    homonyms: Homonyms = "all"
    """What to do if a string means several entities."""
    sources: Annotated[str | Sequence[str] | None, OnCommandLine(str)] = None
    """Only names of these sources, with commas: label,alias,redirect,anchor."""
    least: Annotated[int, OnCommandLine(least=0)] = 0
    """Only names used at least this many times, if counted."""
    setting: Annotated[GoldSetting, PYTHON_ONLY] = "complete"
    """For which of the answers and candidates names are counted; all get them."""
    passages: Annotated["Predictions | None", OnCommandLine(Path, after="file_format")] = None
    """A run with passages; finds those that are positive for training."""
    positives: Annotated[Path | str | None, OnCommandLine(Path, default=Path("positives.jsonl"))] = None
    """The file for the positive passages of --passages."""
