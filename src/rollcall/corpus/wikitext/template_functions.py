"""Templates that patterns cannot describe: dates, ages, lists, languages, names that are links.

Each function takes one use of a template and returns a marked string; `templates.toml` assigns functions to
templates.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from rollcall.corpus.wikitext.convert import convert
from rollcall.corpus.wikitext.finish import plain, without_links
from rollcall.corpus.wikitext.links import link_target
from rollcall.corpus.wikitext.marks import BREAK, GAP, link
from rollcall.corpus.wikitext.numbers import group_thousands
from rollcall.english.months import MONTHS

if TYPE_CHECKING:
    from rollcall.corpus.wikitext.template_call import TemplateCall


def written_date(year: str, month: str, day: str, day_first: bool) -> str:
    """`17 May 1960` or `May 17, 1960`, or the parts that are given."""
    if month.isdecimal() and 1 <= int(month) <= 12:
        month = MONTHS[int(month) - 1]
    day = day.lstrip("0")
    if not month:
        return year
    if not day:
        return f"{month} {year}".strip()
    return f"{day} {month} {year}".strip() if day_first else f"{month} {day}, {year}".strip(" ,")


def _day_first(call: "TemplateCall") -> bool:
    order = call.words("format").lower()
    if order:
        return order in ("dmy", "dm")
    return call.words("df").lower() in ("y", "yes", "1", "true") or call.words("mf").lower() in ("n", "no")


def date(call: "TemplateCall") -> str:
    """Year, month and day in numbers; further numbers (times, births) are not shown."""
    year, month, day = (call.words(str(number)) for number in (1, 2, 3))
    if year and not year.lstrip("-").isdecimal():
        return year  # already written out
    return written_date(year, month, day, _day_first(call)) or GAP


def death_date(call: "TemplateCall") -> str:
    """The date of death, then that of birth; shown with the age at death."""
    died = [call.words(str(number)) for number in (1, 2, 3)]
    born = [call.words(str(number)) for number in (4, 5, 6)]
    if not all(part.isdecimal() for part in (*died[:1], *born[:1])):
        return died[0] or GAP
    shown = written_date(died[0], died[1], died[2], _day_first(call))
    years = int(died[0]) - int(born[0])
    if all(part.isdecimal() for part in (*died, *born)):
        before_birthday = (int(died[1]), int(died[2])) < (int(born[1]), int(born[2]))
        return f"{shown} (aged {years - before_birthday})"
    return f"{shown} (aged {years - 1}–{years})" if years > 0 else shown


def as_of(call: "TemplateCall") -> str:
    """`As of May 2020`, lower case in a sentence."""
    shown = call.words("alt")
    if shown:
        return shown
    words = "since" if call.words("since") else "as of"
    if call.words("lc").lower() not in ("y", "yes", "on", "1"):
        words = words.capitalize()
    when = written_date(call.words("1"), call.words("2"), call.words("3"), call.words("df") != "US")
    return f"{words} {when}"


def day_month_year(call: "TemplateCall") -> str:
    """Arguments that are already day, month and year in this order."""
    return " ".join(part for part in (call.words(str(number)) for number in (1, 2, 3)) if part)


def language(call: "TemplateCall") -> str:
    """`{{lang-fr|mot}}` shows the language's name before the words, where it is known."""
    code = call.name.removeprefix("lang-") if call.name.startswith("lang-") else call.words("1")
    words = call.value("1" if call.name.startswith("lang-") else "2")
    name = call.page.rules.languages.get(code.partition("-")[0])
    if not words:
        return GAP
    return f"{name}: {words}" if name and call.words("label") != "none" else words


def sort_name(call: "TemplateCall") -> str:
    """First and last name, linked to the person's page unless an argument forbids it."""
    words = f"{call.value('1')} {call.value('2')}".strip()
    if call.words("nolink") or not words:
        return words
    target = call.words("3") or plain(words)
    if call.words("dab"):
        target = f"{target} ({call.words('dab')})"
    return link(link_target(target), without_links(words))


def other_language_link(call: "TemplateCall") -> str:
    """A link to a page that may not exist yet, with a link to another language."""
    words = without_links(call.first("lt", "1"))
    target = link_target(call.words("1"))
    return link(target, words) if target and words else words or GAP


def items(call: "TemplateCall") -> str:
    """A list, one item per line."""
    return BREAK + BREAK.join(part for part in call.positional if part) + BREAK


def items_in_line(call: "TemplateCall") -> str:
    """A list within a line."""
    return ", ".join(part for part in call.positional if part) or GAP


def items_with_and(call: "TemplateCall") -> str:
    """`a, b and c`."""
    parts = [part for part in call.positional if part]
    return f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else "".join(parts)


def paragraph(call: "TemplateCall") -> str:
    """A quotation or another block: its text as a separate paragraph."""
    first = "2" if call.words("1") in ("left", "right") else "1"  # the side it is placed on
    words = call.first("text", "quote", first, "content")
    return f"{BREAK}{words}{BREAK}" if words else GAP


def fraction(call: "TemplateCall") -> str:
    """`1⁄2`, `3 1⁄2`."""
    parts = call.positional
    if len(parts) >= 3:
        return f"{parts[0]} {parts[1]}⁄{parts[2]}"
    return f"{parts[0]}⁄{parts[1]}" if len(parts) == 2 else f"1⁄{parts[0]}" if parts else "⁄"


def value(call: "TemplateCall") -> str:
    """A number with its unit."""
    number = group_thousands(call.words("1"))
    unit = call.words("u") or call.words("ul")
    return f"{number} {unit}".strip() or GAP


def height(call: "TemplateCall") -> str:
    """A person's height as it was given."""
    if call.words("m"):
        return f"{call.words('m')} m"
    if call.words("cm"):
        return f"{call.words('cm')} cm"
    inches = call.words("in") or call.words("inch")
    return f"{call.words('ft')} ft {inches} in" if call.words("ft") and inches else f"{call.words('ft')} ft"


def ordinal(call: "TemplateCall") -> str:
    """`3rd`, `11th`."""
    number = call.words("1")
    if not number.isdecimal():
        return number or GAP
    ending = "th" if number[-2:-1] == "1" else {"1": "st", "2": "nd", "3": "rd"}.get(number[-1], "th")
    return number + ending


def japanese(call: "TemplateCall") -> str:
    """A name with its Japanese spelling and its reading in brackets."""
    name, *others = (call.value(str(number)) for number in (1, 2, 3))
    shown = ", ".join(part for part in others if part)
    if not name:
        return shown or GAP
    return f"{name} ({shown})" if shown else name


def everything(call: "TemplateCall") -> str:
    """All arguments, one after another."""
    return "".join(call.positional) or GAP


def ship(call: "TemplateCall") -> str:
    """`{{ship|HMS|Victory|1765}}`: prefix and name; the link target also has the disambiguation."""
    prefix, name, mark = (call.words(str(number)) for number in (1, 2, 3))
    if call.name in ("uss", "hms", "hmas", "hmcs", "rms", "ss", "mv", "usns", "uscgc", "ms", "sms"):
        prefix, name, mark = call.name.upper(), prefix, name
    words = f"{prefix} {name}".strip()
    target = f"{words} ({mark})" if mark else words
    return link(link_target(target), words) if words else GAP


def accidental(call: "TemplateCall") -> str:
    """The sign of a sharp, flat or natural; for other signs, their names."""
    sign = call.words("1").lower()
    return {"sharp": "♯", "#": "♯", "flat": "♭", "b": "♭", "natural": "♮"}.get(sign, sign) or GAP


FUNCTIONS: dict[str, Callable[["TemplateCall"], str]] = {
    "accidental": accidental,
    "as_of": as_of,
    "convert": convert,
    "date": date,
    "day_month_year": day_month_year,
    "death_date": death_date,
    "everything": everything,
    "fraction": fraction,
    "height": height,
    "items": items,
    "items_in_line": items_in_line,
    "items_with_and": items_with_and,
    "japanese": japanese,
    "language": language,
    "ordinal": ordinal,
    "other_language_link": other_language_link,
    "paragraph": paragraph,
    "ship": ship,
    "sort_name": sort_name,
    "value": value,
}
