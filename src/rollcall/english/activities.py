"""Activities (sports, crafts, fields of study, instruments), and the nouns for those who do them."""

from functools import cache

from rollcall.english.demonyms import land_of
from rollcall.english.word_lists import word_list


@cache
def practitioners() -> dict[str, list[str]]:
    """The nouns for those who do an activity, by its name in small letters."""
    pairs = (line.split(" = ") for line in sorted(word_list("practitioners")))
    return {activity: nouns.split(" | ") for activity, nouns in pairs}


def activity_in_text(name: str) -> str:
    """A known activity as running text writes it, whatever capitals a table gives it; empty for others."""
    small = name.lower()
    if small not in practitioners():
        return ""
    return name if land_of(name.split(" ")[0].capitalize()) else small
