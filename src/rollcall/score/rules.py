"""What the options of a scoring choose: the profile, the measures and the characteristics; and their checks.

The options themselves are declared in `rollcall.score.options`.
"""

from collections.abc import Mapping, Sequence

from rollcall._core.errors import RollcallError
from rollcall.questions.given import is_listed, is_number, kind
from rollcall.score.judging import Judge, JudgedProfile
from rollcall.score.measure import Measure, parse_measures
from rollcall.score.measures import MeasureKind
from rollcall.score.options import CompareOptions, ScoreOptions, ScoringOptions
from rollcall.score.profile import Profile
from rollcall.score.profiles import open_profile

GivenProfile = str | type[Profile] | Profile
GivenMeasures = str | Sequence[str | Measure | type[MeasureKind]] | None
"""None for the measures of the profile."""


def check_scoring(options: ScoringOptions) -> None:
    """Refuse a value of a wrong kind, and a profile without its judge, before anything is read."""
    profile = options.profile
    if not isinstance(profile, str | Profile) and not _derives(profile, Profile):
        raise RollcallError(f"profile: give its name or its class, not {kind(profile)}")
    if not is_listed(options.judges) or not all(isinstance(judge, Judge) for judge in options.judges):
        raise RollcallError(f"judges: give a list of Judge, not {options.judges!r:.80}")
    if options.confidence is not None:
        check_share("confidence", options.confidence)
    if not isinstance(options.by, str):
        check_texts("by", options.by, str)
    if options.measures is not None and not isinstance(options.measures, str):
        listed = is_listed(options.measures)
        if not listed or not all(
            isinstance(measure, str | Measure) or _derives(measure, MeasureKind)
            for measure in options.measures
        ):
            raise RollcallError(f"measures: give a list of names, not {options.measures!r:.80}")
    if options.neutral == "count" and options.setting == "closed":
        raise RollcallError(
            "neutral answers are no candidates of the closed setting, so they cannot count there; leave "
            "out --neutral count or --gold closed"
        )
    chosen_profile(options)


def check_tests(options: CompareOptions) -> None:
    """Refuse tests that cannot be made."""
    check_share("level", options.level)
    if options.resamples == 0 and options.test != "t":
        raise RollcallError(f"the {options.test} test needs samples: give --resamples, or --test t")
    if options.names is not None:
        check_texts("names", options.names, str)


def chosen_profile(options: ScoringOptions) -> Profile:
    """The profile that matches; one that asks a language model has its judge."""
    profile = open_profile(options.profile)
    if isinstance(profile, JudgedProfile):
        return profile.seated(options.judges[0] if options.judges else None)
    if options.judges:
        raise RollcallError(f"the profile {profile.name} asks no language model; leave --judge out")
    return profile


def chosen_characteristics(options: ScoringOptions) -> list[str]:
    """The characteristics to break down by; a string is split at its commas."""
    names = options.by.split(",") if isinstance(options.by, str) else options.by
    return [name.strip() for name in names if name.strip()]


def chosen_measures(options: ScoringOptions) -> list[Measure] | None:
    """The measures; None for those of the profile."""
    if options.measures is None:
        return None
    if isinstance(options.measures, str):
        return parse_measures(options.measures)
    texts = (
        measure if isinstance(measure, str) else str(Measure.of(measure)) for measure in options.measures
    )
    return parse_measures(" ".join(texts))


def required_figures(options: ScoreOptions) -> dict[Measure, float]:
    """The figures of `fail_below`; a command line gives them as texts."""
    given = options.fail_below
    pairs = given.items() if isinstance(given, Mapping) else [text.rpartition("=")[::2] for text in given]
    required = {}
    for name, least in pairs:
        try:
            value = float(least if name else "")
        except ValueError:
            text = "=".join(filter(None, (name, str(least))))
            raise RollcallError(f"--fail-below {text}: write measure=value, such as F1=0.5") from None
        measure = Measure.parse(name.strip())
        if measure.is_share and not 0 <= value <= 1:
            raise RollcallError(
                f"--fail-below {measure}={value:g}: is a share from 0 to 1; write 0.5 for 50 %"
            )
        required[measure] = value
    return required


def _derives(given: object, base: type) -> bool:
    return isinstance(given, type) and issubclass(given, base)


def check_choice(name: str, given: object, known: Sequence[str]) -> None:
    if not isinstance(given, str) or given not in known:
        raise RollcallError(f"{name} {given!r:.80} is not known; choose one of {', '.join(known)}")


def check_share(name: str, given: object) -> None:
    if not is_number(given) or not 0 < given < 1:  # type: ignore[operator]
        raise RollcallError(f"{name}: give a number between 0 and 1, not {given!r:.80}")


def check_texts(name: str, given: object, kinds: object) -> None:
    if not is_listed(given) or not all(isinstance(item, kinds) for item in given):  # type: ignore
        raise RollcallError(f"{name}: give a list of names, not {given!r:.80}")
