"""A bounded share of every fuzzing target, and all cases that were ever found."""

import json

import pytest

from fuzzing.target import Target
from fuzzing.targets import all_targets

TARGETS = list(all_targets().values())


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_a_share_of_random_cases_holds(target: Target) -> None:
    attack(target, range(target.share // 2))


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_a_larger_share_holds(target: Target) -> None:
    attack(target, range(target.share // 2, 2 * target.share))


def attack(target: Target, numbers: range) -> None:
    for number in numbers:
        case = target.case("make test", number)
        try:
            target.attack(case)
        except Exception as error:
            error.add_note(f"target {target.name}, case {number}: {case!r}"[:2000])
            raise


FOUND = [(target, path) for target in TARGETS for path in target.found()]


@pytest.mark.parametrize(("target", "path"), FOUND, ids=lambda part: getattr(part, "name", None))
def test_what_was_found_once_stays_mended(target: Target, path) -> None:
    target.attack(json.loads(path.read_text(encoding="utf-8")))
