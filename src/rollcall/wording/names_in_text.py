"""Names in running text: which take `the`, which need quotation marks, how a possessive is written.

Whether a name takes the article depends on its class (rivers, wars, awards) and its words (`United …`, `…
Society`); people and works never do. The rules are few and can be wrong for a rare name; a missing article is
then the smaller error.
"""

import re
from collections.abc import Iterable
from html import unescape

from rollcall.english.months import ANY_MONTH
from rollcall.english.word_lists import word_list
from rollcall.wording.said import quoted

PAUSE = "\ue000"
"""A mark after a name such as `Paris, Texas`: a comma if the sentence continues, nothing at its end."""

_THE_CLASSES = word_list("classes_with_the")
_NEVER_CLASSES = word_list("classes_without_the")
_THE_NAMES = word_list("names_with_the")
_NAMED_PRIZE = re.compile(
    r"(?:Nobel|Pulitzer|Academy|Grammy|Tony|Emmy|Golden Globe|BAFTA|Turner|Fields) (?:Memorial )?"
    r"(?:Prize|Award|Medal)s? (?:in|for|of) .+|.+ (?:Award|Prize|Medal)s? for .+|Medal of .+"
    r"|Order of (?:Merit|the) .+"
)
_THE_PATTERN = re.compile(
    r"""^(?:
        (?:United|Royal|Federal|Central)\ .*(?:States|Kingdom|Emirates|Nations|Society|Academy|Navy|Army|Force
          |Republic|Provinces)(?:\ of\ .+)?
      | (?:City|Republic|Kingdom|University|Province|Duchy|County|Commonwealth|State|Battle|Siege|Treaty|Order
          |House|Isle|Gulf|Bay|Strait|Cape|Church|Bank|Court|Museum|Academy|Institute|Ministry|Department
          |Parliament|Government|President|Governor|Legion|League|Tower|Palace|Region|Union|Council|War
          |Office|Territory|Diocese|Archdiocese)
          \ of\ (?:the\ )?.+
      | (?:War|Battle|Treaty)\ between\ .+
      | .+\ (?:Republic|Kingdom|Empire|Union|Federation|Confederation|Islands|Mountains|Alps|Ocean|Sea|River
          |Desert|Peninsula|War|Wars|Revolution|Crisis|Prize|Award|Awards|Medal|Trophy|Championship
          |Championships|League|Conference|Party|Movement|Association|Society|Foundation|Museum|Library
          |Gallery|Bridge|Canal|Army|Navy|Air\ Force|Dynasty|Museum\ of\ .+|Olympics|Games|Cup|Act|Treaty
          |Commission|Committee|Council|Senate|Parliament|Congress|Ministry|Department|Church|Legion
          |Orchestra|Exchange|Index|Line|Railway|Authority|Agency|Bureau|Expressway|national\ \S+\ team)
    )$""",
    re.VERBOSE,
)
_BODY_OF = re.compile(
    r"(?:Association|Federation|Society|Institute|Centre|Center|Committee|Commission) (?:of|for) .+"
    r"|.+ (?:Association|Federation|Society|Institute|Academy|Museum|Gallery|Library|Bank|Union|League"
    r"|Council|Committee|Commission|Office|Bureau|Agency|School|Chamber|Fund|Board|House|Church|Order|Ministry"
    r"|Party|Centre|Center|Region) (?:of|for) .+"
)
"""Names of bodies with a complement: the National Gallery of Art."""
_EVENT_OF_YEAR = re.compile(
    rf"(?:(?:{ANY_MONTH}) )?(?:1[5-9]|20)\d\d (?:\S+ )+\S+|(?:1[5-9]|20)\d\d[–-]\d\d(?:\d\d)? .+"
)
"""A name that begins with its year is an event or a season: the 1936 Monaco Grand Prix."""
_TITLED = re.compile(
    r", (?:\d{1,2}(?:st|nd|rd|th) )?(?:Arch)?(?:[Dd]uke|[Dd]uchess|Count|Countess|Earl|Baron|Baroness|Baronet"
    r"|Marquess|Marquis|Viscount|Lord|Lady|Prince|Princess|King|Queen|Emperor|Empress|Landgrave|Margrave"
    r"|Elector|Grand|Hereditary|Crown|Bishop)\b"
)
"""What follows the comma of a person's name: a title."""
_PLACE_WITH_COMMA = re.compile(
    r"^[^,]+(?:, (?!And |The |A )[A-Z][\w.'’-]*(?: (?:of )?[A-Z][\w.'’-]*){0,2}){1,2}$"
)


_ENDS_WITH_PLACE = re.compile(r" [A-Z][\w.'’-]*, [A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*)*$")
_SCAR = re.compile(r" ('(?:s|re|ve|ll|d|m)|n't)(?= |$)")
"""What splitting text into words has left in a name: `Do n't Look`."""


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
    if re.search(r"[,(]", label):
        return False
    if _BODY_OF.fullmatch(label) or _EVENT_OF_YEAR.fullmatch(label):
        return True
    plain = not re.search(r" (?:at|in|for|on|by|and) ", label)
    return plain and bool(_THE_PATTERN.match(label))


def name_in_text(label: str, classes: Iterable[str] = (), *, work: bool = False) -> str:
    """A name in a sentence: with its article, or quoted if it would disturb the sentence."""
    text = _SCAR.sub(r"\1", " ".join(unescape(label).split()))
    if not text:
        return quoted(label)
    if re.search(r"[?!:;{}]", text) or text.endswith((",", "...", "…")):
        return quoted(text)
    if ", " in text:
        if not work and _PLACE_WITH_COMMA.match(text):
            return text + PAUSE
        apposed = re.search(r", (?:Jr\.?|Sr\.?|I{1,3}|Inc\.?|Ltd\.?)$", text) or _TITLED.search(text)
        return text + PAUSE if apposed and not work else quoted(text)
    return f"the {text}" if takes_the(text, classes) else text


def with_pause(words: str) -> str:
    """Words with a pause behind them if they end with a place such as `Paris, Texas`."""
    return words + PAUSE if _ENDS_WITH_PLACE.search(words) else words


def possessive(name: str) -> str:
    """A name's possessive: `Orla Venn's`, `the Netherlands'`."""
    return f"{name}'" if name.endswith(("s", "S")) else f"{name}'s"


_WITH_PAUSE = re.compile(PAUSE + r"(?=$|[,.?!;:)”])")


def without_pauses(text: str) -> str:
    """The finished text: every pause mark becomes a comma or is removed."""
    return _WITH_PAUSE.sub("", text).replace(PAUSE, ",")
