"""The rules of a scoring: every option of `score` and `compare`, checked in one place.

An unknown option is refused with a line that lists the known ones, so that a typing error is not ignored.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from rollcall._core.errors import RollcallError
from rollcall.questions.given import is_listed, is_number, kind
from rollcall.score.judging import Judge, JudgedProfile
from rollcall.score.measure import Measure, parse_measures
from rollcall.score.measures import MeasureKind
from rollcall.score.neutral import GivenNeutral
from rollcall.score.pairing import GoldSetting
from rollcall.score.profile import NeutralAre, Profile
from rollcall.score.profiles import open_profile
from rollcall.score.significance import Correction, Test

Missing = Literal["count", "skip"]
GivenProfile = str | type[Profile] | Profile
GivenMeasures = str | Sequence[str | Measure | type[MeasureKind]] | None
"""None for the measures of the profile."""


@dataclass(frozen=True)
class Rules:
    """How a run is scored; the defaults are those of `score`."""

    profile: GivenProfile = "entity"
    measures: GivenMeasures = None
    by: str | Sequence[str] = ()
    setting: GoldSetting = "complete"
    missing: Missing = "count"
    drop_empty: bool = False
    confidence: float | None = 0.95
    """The confidence of the intervals; None for no intervals."""
    judges: Sequence[Judge] = ()
    """The language models that judge, if the profile asks one; the first makes the figures."""
    neutral: GivenNeutral = None
    """What a prediction of a neutral answer is; None for what the profile says."""

    def __post_init__(self) -> None:
        check_choice("setting", self.setting, get_args(GoldSetting))
        check_choice("missing", self.missing, get_args(Missing))
        if self.neutral is not None:
            check_choice("neutral", self.neutral, get_args(NeutralAre))
        if self.neutral == "count" and self.setting == "closed":
            raise RollcallError(
                "neutral answers are no candidates of the closed setting, so they cannot count there; leave "
                "out --neutral count or --gold closed"
            )
        profile = self.profile
        if not isinstance(profile, str | Profile) and not _derives(profile, Profile):
            raise RollcallError(f"profile: give its name or its class, not {kind(profile)}")
        if not is_listed(self.judges) or not all(isinstance(one, Judge) for one in self.judges):
            raise RollcallError(f"judges: give a list of Judge, not {self.judges!r:.80}")
        if not isinstance(self.drop_empty, bool):
            raise RollcallError(f"drop_empty: give True or False, not {self.drop_empty!r:.80}")
        if self.confidence is not None:
            check_share("confidence", self.confidence)
        if not isinstance(self.by, str):
            check_texts("by", self.by, str)
        if self.measures is not None and not isinstance(self.measures, str):
            listed = is_listed(self.measures)
            if not listed or not all(
                isinstance(one, str | Measure) or _derives(one, MeasureKind) for one in self.measures
            ):
                raise RollcallError(f"measures: give a list of names, not {self.measures!r:.80}")

    @property
    def scorer(self) -> Profile:
        profile = open_profile(self.profile)
        if isinstance(profile, JudgedProfile):
            return profile.seated(self.judges[0] if self.judges else None)
        if self.judges:
            raise RollcallError(f"the profile {profile.name} asks no language model; leave --judge out")
        return profile

    @property
    def characteristics(self) -> list[str]:
        """The characteristics to break down by; a string is split at its commas."""
        names = self.by.split(",") if isinstance(self.by, str) else self.by
        return [name.strip() for name in names if name.strip()]

    @property
    def chosen_measures(self) -> list[Measure] | None:
        if self.measures is None:
            return None
        if isinstance(self.measures, str):
            return parse_measures(self.measures)
        texts = (one if isinstance(one, str) else str(Measure.of(one)) for one in self.measures)
        return parse_measures(" ".join(texts))


@dataclass(frozen=True)
class TestRules:
    """How the differences of runs are tested."""

    test: Test = "permutation"
    correction: Correction = "holm"
    level: float = 0.05
    resamples: int | None = None
    """Random draws of the tests; None for as many as the correction needs."""
    seed: int = 0

    def __post_init__(self) -> None:
        check_choice("test", self.test, get_args(Test))
        check_choice("correction", self.correction, get_args(Correction))
        check_share("level", self.level)
        if self.resamples is not None:
            check_count("resamples", self.resamples)
        check_count("seed", self.seed)
        if self.resamples == 0 and self.test != "t":
            raise RollcallError(f"the {self.test} test needs samples: give --resamples, or --test t")


def _derives(given: object, base: type) -> bool:
    return isinstance(given, type) and issubclass(given, base)


def check_choice(name: str, given: object, known: Sequence[str]) -> None:
    if not isinstance(given, str) or given not in known:
        raise RollcallError(f"{name} {given!r:.80} is not known; choose one of {', '.join(known)}")


def check_count(name: str, given: object) -> None:
    if not isinstance(given, int) or isinstance(given, bool) or given < 0:
        raise RollcallError(f"{name}: give a whole number from 0, not {given!r:.80}")


def check_share(name: str, given: object) -> None:
    if not is_number(given) or not 0 < given < 1:  # type: ignore[operator]
        raise RollcallError(f"{name}: give a number between 0 and 1, not {given!r:.80}")


def check_texts(name: str, given: object, kinds: object) -> None:
    if not is_listed(given) or not all(isinstance(one, kinds) for one in given):  # type: ignore
        raise RollcallError(f"{name}: give a list of names, not {given!r:.80}")
