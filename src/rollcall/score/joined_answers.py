"""Notices answers that are one string with several gold names in it, where a list was probably meant.

A string stays one answer, because names have commas, too; a warning says what it looks like.
"""

import re
from collections.abc import Sequence

from rollcall.questions.record import Answer
from rollcall.score.columns import GoldSetting, gold_of, predicted
from rollcall.score.judging.judged_profile import JudgedProfile
from rollcall.score.name_keys import name_keys
from rollcall.score.pairing import Pairs, some
from rollcall.score.profile import Profile

_BETWEEN = re.compile(r"[,;\n]")
_SEVERAL = 2


def joined_answers(pairs: Pairs, profile: Profile, setting: GoldSetting) -> list[str]:
    """A line if the answers of some questions are one string that holds several gold names."""
    if isinstance(profile, JudgedProfile):
        return []  # a model reads the whole text
    ids = []
    for question, prediction in pairs:
        said, gold = predicted(prediction), gold_of(question, setting)
        if len(said) != 1 or len(gold) < _SEVERAL or not isinstance(said[0], str):
            continue
        named = _named(said[0], gold) if _BETWEEN.search(said[0]) else 0
        if named >= _SEVERAL and profile.judge(question, gold, said)[0].found < named:
            ids.append(question.id)
    if not ids:
        return []
    of = f"{len(ids):,} question{'s' * (len(ids) > 1)}"
    return [f"answers of {of} are one string that holds several gold names ({some(ids)}); give a list"]


def _named(text: str, gold: Sequence[Answer]) -> int:
    """How many of the gold answers have a name among the parts of a text."""
    parts = set(name_keys([part.strip() for part in _BETWEEN.split(text)]))
    return sum(not parts.isdisjoint(name_keys([one.label, *one.aliases])) for one in gold)
