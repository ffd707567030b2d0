"""Notices answers that are one string with several gold names in it, where a list was probably meant.

A string stays one answer, because names have commas and "and", too; a warning says what it looks like.
"""

import re
from collections.abc import Sequence

from rollcall.questions.record import Answer
from rollcall.score.columns import GoldSetting, gold_of, predicted
from rollcall.score.judging.judged_profile import JudgedProfile
from rollcall.score.name_keys import name_keys
from rollcall.score.pairing import Pairs, some
from rollcall.score.profile import Predicted, Profile

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
