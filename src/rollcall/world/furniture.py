"""The parts of an article besides sentences: infobox, hatnote, picture, references, categories, comments."""

from rollcall.world.chance import Dice
from rollcall.world.facts import Fact
from rollcall.world.families import NONE
from rollcall.world.sentences import Writer, mention
from rollcall.world.sources import Date, Quantity
from rollcall.world.vocabulary import CLASSES, Kind

_SOURCES = ("Annals of the Region", "The Weekly Review", "Archive Bulletin", "Notes and Records", "Almanac")
_PHOTOGRAPHY = 1850
"""The earliest year of a picture."""
_DATE_TEMPLATES = {"birth_date": "birth date", "death_date": "death date", "released": "start date"}


def reference(dice: Dice, cited: set[str]) -> str:
    """A footnote: cited with a template, in plain words, or by the name of an earlier one.

    `cited` has the names that the page has defined so far: each is defined once before it is repeated.
    """
    shape, year, page = dice.below(4), 1950 + dice.below(74), 1 + dice.below(400)
    source = _SOURCES[dice.below(len(_SOURCES))]
    if shape == 0:
        return f"<ref>{{{{cite book|title={source}|year={year}|page={page}|publisher=Academy Press}}}}</ref>"
    if shape == 1:
        return f"<ref>''{source}'', vol. {1 + page % 30} ({year}), pp. {page}–{page + 3}.</ref>"
    name = f"almanac{year % 7}"
    if name not in cited:
        cited.add(name)
        entry = f"url=https://archive.example.org/{page}|title=Entry No. {page}|access-date=3 May 2019"
        return f'<ref name="{name}">{{{{cite web|{entry}}}}}</ref>'
    return f'<ref name="{name}" />'


def top(writer: Writer, kind: Kind, told: list[Fact]) -> str:
    """Everything above the opening sentence."""
    topic, dice = writer.topic, writer.dice
    parts = [f"{{{{Short description|{kind.noun.capitalize()}}}}}"]
    if topic.title != topic.label:
        parts.append(f"{{{{About|the {kind.noun}|other uses|{topic.label} (disambiguation)}}}}")
    if dice.below(3) == 0:
        parts.append("{{Use dmy dates|date=June 2021}}")
    if dice.below(4):
        parts.append(_infobox(writer, kind, told))
    if dice.below(4) == 0:
        parts.append(_picture(writer, told, dice))
    if dice.below(8) == 0:
        parts.append("<!-- Please do not add unsourced claims. -->")
    return "\n".join(parts) + "\n"


def _infobox(writer: Writer, kind: Kind, told: list[Fact]) -> str:
    rows: dict[str, list[str]] = {}
    for fact in told:
        earlier = fact.point != NONE and fact.slot  # if there are several, the latest
        if fact.relation.infobox and fact.end == NONE and not earlier:
            rows.setdefault(fact.relation.infobox, []).append(_field(writer, fact))
    lines = [f"{{{{Infobox {kind.noun}", f"| name = {writer.topic.label}"]
    for name, values in rows.items():
        value = (
            values[0]
            if len(values) == 1
            else "{{plainlist|\n" + "\n".join(f"* {item}" for item in values) + "\n}}"
        )
        lines.append(f"| {name} = {value}")
    return "\n".join([*lines, "}}"])


def _field(writer: Writer, fact: Fact) -> str:
    value = fact.value
    if isinstance(value, int):
        name = writer.names.of(value)
        return mention(name, name.label, True, True, bare=True).wiki
    template = _DATE_TEMPLATES.get(fact.relation.infobox)
    if isinstance(value, Date) and template and value.day:
        return f"{{{{{template}|{value.year}|{value.month}|{value.day}|df=y}}}}"
    if isinstance(value, Quantity) and value.unit in ("Q11573", "Q828224"):
        unit = "m" if value.unit == "Q11573" else "km"
        return f"{{{{convert|{value.amount}|{unit}|abbr=on}}}}"
    return value.written()


def _picture(writer: Writer, told: list[Fact], dice: Dice) -> str:
    first, last = writer.span
    first = max(first, _PHOTOGRAPHY)
    year = first + dice.below(last - first + 1)
    file_name = f"{writer.topic.label} {year}.jpg".replace(":", "")
    linked = [fact for fact in told if isinstance(fact.value, int)]
    caption = "A view from the archives"
    if linked:
        value = linked[dice.below(len(linked))].value
        name = writer.names.of(value if isinstance(value, int) else writer.topic.number)
        link = mention(name, name.label, True, False).wiki
        caption = f"{writer.topic.label}; see also {link} (photograph of {year})"
    return f"[[File:{file_name}|thumb|{('right', 'left|upright', '220px')[dice.below(3)]}|{caption}]]"


def bottom(writer: Writer, told: list[Fact], class_id: str) -> str:
    """References, sorting and categories."""
    dice = writer.dice
    parts = ["== References ==\n{{reflist}}"]
    if dice.below(4) == 0:
        also = (fact.value for fact in told[:2] if isinstance(fact.value, int))
        other = "\n".join(f"* [[{writer.names.of(number).title}]]" for number in dict.fromkeys(also))
        if other:
            parts.insert(0, f"== See also ==\n{other}")
    categories = [f"[[Category:{CLASSES[class_id].plural.capitalize()}]]"]
    for fact in told:
        if isinstance(fact.value, Date):
            year = fact.value.written().split(" ")[-1]
            if fact.relation.id == "P569":
                categories.append(f"[[Category:{year} births]]")
            elif fact.relation.id == "P577":
                categories.append(f"[[Category:{year} works]]")
    topic = writer.topic
    if topic.tier == "person":
        *given, last = topic.label.split(" ")
        categories.insert(0, f"{{{{DEFAULTSORT:{last}, {' '.join(given)}}}}}")
    elif topic.label.startswith("The "):
        categories.insert(0, f"{{{{DEFAULTSORT:{topic.label[4:]}, The}}}}")
    return "\n\n".join([*parts, "\n".join(categories)])
