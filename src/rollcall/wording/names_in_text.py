"""Names in running text: which take `the`, which need quotation marks, how a possessive is written.

Whether a name takes the article depends on its class (rivers, wars, awards) and its words (`United …`, `…
Society`); people and works never do. The rules are few and can be wrong for a rare name; a missing article is
then the smaller error.
"""

import re
from collections.abc import Iterable

from rollcall.english.word_lists import word_list
from rollcall.wording.said import quoted

PAUSE = "\ue000"
"""A mark after a name such as `Paris, Texas`: a comma if the sentence continues, nothing at its end."""

_THE_CLASSES = word_list("classes_with_the")
_NEVER_CLASSES = word_list("classes_without_the")
_THE_NAMES = word_list("names_with_the")
_NAMED_PRIZE = re.compile(
    r"(?:Nobel|Pulitzer|Academy|Grammy|Tony|Emmy|Golden Globe|BAFTA|Turner|Fields) (?:Memorial )?"
    r"(?:Prize|Award|Medal)s? (?:in|for|of) .+|Medal of .+|Order of (?:Merit|the) .+"
)
_THE_PATTERN = re.compile(
    r"""^(?:
        (?:United|Royal|Federal|Central)\ .*(?:States|Kingdom|Emirates|Nations|Society|Academy|Navy|Army|Force
          |Republic|Provinces)(?:\ of\ .+)?
      | (?:City|Republic|Kingdom|University|Province|Duchy|County|Commonwealth|State|Battle|Siege|Treaty|Order
          |House|Isle|Gulf|Bay|Strait|Cape|Church|Bank|Court|Museum|Academy|Institute|Ministry|Department
          |Parliament|Government|President|Governor|Legion|League|Tower|Palace|Region|Union|Council|War)
          \ of\ (?:the\ )?.+
      | .+\ (?:Republic|Kingdom|Empire|Union|Federation|Confederation|Islands|Mountains|Alps|Ocean|Sea|River
          |Desert|Peninsula|War|Wars|Revolution|Crisis|Prize|Award|Awards|Medal|Trophy|Championship
          |Championships|League|Conference|Party|Movement|Association|Society|Foundation|Museum|Library
          |Gallery|Bridge|Canal|Army|Navy|Air\ Force|Dynasty|Museum\ of\ .+|Olympics|Games|Cup|Act|Treaty
          |Commission|Committee|Council|Senate|Parliament|Congress|Ministry|Department|Church|Legion
          |Orchestra|Corporation)
      | \d{4}(?:[–-]\d+)?\ .*(?:Olympics|Paralympics|Games|Championships?|Cup|Tournament|season|playoffs
          |[Dd]raft|elections?)
    )$""",
    re.VERBOSE,
)
_PLACE_WITH_COMMA = re.compile(
    r"^[^,]+(?:, (?!And |The |A )[A-Z][\w.'’-]*(?: (?:of )?[A-Z][\w.'’-]*){0,2}){1,2}$"
)


def takes_the(label: str, classes: Iterable[str] = ()) -> bool:
    """Whether running text puts `the` before a name, given the labels of its classes."""
    if re.match(r"(?:the|an?|la|le|les|el|los|das|der|die|il) ", label, re.I) or not (
        label[:1].isupper() or label[:1].isdigit()
    ):
        return label in _THE_NAMES
    known = set(classes)
    if known & _NEVER_CLASSES:
        return bool(re.match(r"University of ", label)) and "university" in known
    if label in _THE_NAMES:
        return True
    if known & _THE_CLASSES:
        return not re.match(r"(?:Mount|Lake|Loch) ", label) and not label.endswith("’s") and "," not in label
    if _NAMED_PRIZE.match(label):
        return True
    plain = not re.search(r"[,(]| (?:at|in|for|on|by|and) ", label)
    return plain and bool(_THE_PATTERN.match(label))


def name_in_text(label: str, classes: Iterable[str] = (), *, work: bool = False) -> str:
    """A name in a sentence: with its article, or quoted if it would disturb the sentence."""
    text = " ".join(label.split())
    if not text:
        return quoted(label)
    if re.search(r"[?!:;{}]", text) or text.endswith((",", "...", "…")):
        return quoted(text)
    if ", " in text:
        if not work and _PLACE_WITH_COMMA.match(text):
            return text + PAUSE
        return text + PAUSE if re.search(r", (?:Jr\.?|Sr\.?|I{1,3}|Inc\.?|Ltd\.?)$", text) else quoted(text)
    return f"the {text}" if takes_the(text, classes) else text


def possessive(name: str) -> str:
    """A name's possessive: `Orla Venn's`, `the Netherlands'`."""
    return f"{name}'" if name.endswith(("s", "S")) else f"{name}'s"


_WITH_PAUSE = re.compile(PAUSE + r"(?=$|[,.?!;:)”])")


def without_pauses(text: str) -> str:
    """The finished text: every pause mark becomes a comma or is removed."""
    return _WITH_PAUSE.sub("", text).replace(PAUSE, ",")
