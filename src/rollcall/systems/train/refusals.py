"""What a training refuses before anything is computed: arguments that would have no effect.

Exercises have their questions and passages already, so beside them only what the system itself uses when it
learns may be given.
"""

from collections.abc import Iterable, Mapping

import msgspec

from rollcall.configurable import check_needs
from rollcall.errors import RollcallError
from rollcall.systems.context import NEEDS
from rollcall.systems.train.trainable import Learner

PartOptions = Mapping[str, Mapping[str, object]]


def check_beside_exercises(
    system: str, kind: type[Learner], options: msgspec.Struct, given: Mapping[str, object]
) -> None:
    """Refuse what a system that learns from exercises would ignore, and ask for what it lacks; `given` has
    all arguments that exercises are made of, None for those that were left out.
    """
    used = set(kind.learns_with(options))
    if given["corpus"] is None:
        used.discard("index")
    ignored = [f"--{name}" for name, value in given.items() if value is not None and name not in used]
    if ignored:
        which = f"{', '.join(ignored[:-1])} and {ignored[-1]}" if len(ignored) > 1 else ignored[0]
        them = "them" if len(ignored) > 1 else "it"
        raise RollcallError(f"beside --exercises, {system} makes no use of {which}: leave {them} out")
    needed = [one for one in kind.needs if one in used]
    check_needs(f"training {system}", needed, lambda need: given[need] is not None, NEEDS)


def check_dev(split: str, dev: str | None) -> None:
    """Refuse to evaluate on the questions that are learned from."""
    if split == dev:
        raise RollcallError(
            f"the split {split} cannot be both learned from and evaluated on: give another --split or --dev"
        )


def refuse_parts(system: str, part_options: PartOptions) -> None:
    """Refuse options of parts where a system has none."""
    for option in part_option_names(part_options):
        own = option.removeprefix(f"{system}.")
        instead = "leave it out" if own == option else f"its own is written {own}"
        raise RollcallError(f"{system} has no parts, so no option {option}: {instead}")


def part_option_names(part_options: PartOptions) -> Iterable[str]:
    """The options of parts as they are written."""
    return (f"{part}.{name}" for part, given in part_options.items() for name in given)
