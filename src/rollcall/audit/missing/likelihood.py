"""How likely an answer beyond the gold is right, from everything that speaks for it or against it.

What a run gives beyond the gold is right as often as the run would find right answers that the gold lacks:
its recall, times the number that are missing, divided by the number of its counted errors. Several sources
that give an answer are taken to be right or wrong independently of one another. That text was searched and
does not state an answer speaks against it, and that it names it with the names in the question speaks for
it, as far as it does so for gold answers more often than for others.
"""

from collections.abc import Mapping

from rollcall.audit.sources.given import RunSize

_SUREST = 0.999


def run_chances(runs: Mapping[str, RunSize], completeness: float) -> dict[str, float]:
    """For each run, how likely one of its counted errors is right, if the gold has this share of right
    answers.
    """
    found = {}
    for run, size in runs.items():
        # One right answer and one error are added, so that few answers do not decide.
        missing = (size.right + 1) * (1 - completeness) / completeness
        found[run] = min(_SUREST, missing / (size.errors + 1))
    return found


def either(*chances: float) -> float:
    """How likely one of several independent reports is right."""
    doubt = 1.0
    for chance in chances:
        doubt *= 1 - chance
    return 1 - doubt


def weighed(chance: float, ratio: float) -> float:
    """A probability after something was seen that is so many times as likely for what is right."""
    right, wrong = chance * ratio, 1 - chance
    return right / (right + wrong) if right + wrong else 0.0


def named_ratio(named: bool, of_gold: float, of_all: float, prior: float) -> float:
    """How much more likely it is for right answers than for wrong ones to be named so, or not to be.

    `of_gold` is the share of gold answers, `of_all` that of all candidates, of which a share `prior` is
    right.
    """
    of_wrong = min(max((of_all - prior * of_gold) / max(1 - prior, 1e-9), 0.01), 0.99)
    of_right = min(max(of_gold, 0.01), 0.99)
    return of_right / of_wrong if named else (1 - of_right) / (1 - of_wrong)
