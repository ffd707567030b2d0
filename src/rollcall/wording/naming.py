"""The names of entities, relations and classes, from a graph or, without a graph, their ids."""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from functools import cached_property, lru_cache
from html import unescape
from typing import TYPE_CHECKING, Protocol

from rollcall._core.errors import RollcallError
from rollcall.corpus.lists import without_parenthesis
from rollcall.query import Literal
from rollcall.text.nouns import land_of
from rollcall.text.words import ANY_MONTH, word_list
from rollcall.wording.nouns import class_noun, kind_above
from rollcall.wording.phrases import Filler, filler_of_name, filler_of_value, quoted

if TYPE_CHECKING:
    from rollcall.graph.graph import EntityRecord
    from rollcall.wording.ends import EndNouns
    from rollcall.wording.generic import Ends


# Names in running text: which take `the`, which need quotation marks, how a possessive is written.
# Whether a name takes the article depends on its class (rivers, wars, awards) and its words (`United …`,
# `… Society`); people and works never do. The rules are few and can be wrong for a rare name; a missing
# article is then the smaller error.

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
          |Group|Team|Project|Consortium|Initiative|Maintainers|Developers|Task\ Force
          |[Dd]ynasty|[Ee]ra|[Pp]eriod|(?:Stone|Bronze|Iron|Middle|Dark|Golden)\ Ages?
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
    class_names = set(classes)
    if class_names & _NEVER_CLASSES:
        return bool(re.match(r"University of ", label)) and "university" in class_names
    if label in _THE_NAMES:
        return True
    if class_names & _THE_CLASSES:
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


_IN_BRACKETS = re.compile(r"\(([^()]+)\)$")
_WORK_CLASSES = re.compile(
    r"\b(?:film|song|album|novel|book|series|work|play|episode|single|painting|game|poem|opera)\b"
)


class Labels(Protocol):
    """The interface that wording needs from a graph."""

    def label(self, id_: str) -> str: ...
    def relation_label(self, id_: str) -> str: ...
    def class_label(self, id_: str) -> str: ...
    def entity(self, id_: str) -> "EntityRecord": ...
    def find(self, name: str) -> "list[EntityRecord]": ...


def entity_label(graph: Labels, id_: str) -> str:
    """The name of an entity: its label, else the title of its page as a name, else its id."""
    label = graph.label(id_)
    if label != id_:
        return label
    try:
        record = graph.entity(id_)
    except RollcallError:  # an id that the graph does not have
        return id_
    return record.label or (without_parenthesis(record.title) if record.title else id_)


class Naming:
    """Labels in the form that a sentence needs."""

    def __init__(
        self,
        graph: Labels | None,
        *,
        ends: "EndNouns | None" = None,
        relation_names: Mapping[str, str] | None = None,
        class_names: Mapping[str, str] | None = None,
        names: Mapping[str, str] | None = None,
        counted: Collection[str] = (),
        tell_namesakes_apart: bool = False,
    ):
        self._graph, self._counted = graph, counted
        self._ends = ends
        self._relation_names = relation_names or {}
        self._class_names = class_names or {}
        self._names = names or {}
        self._apart = tell_namesakes_apart
        self.entity = lru_cache(maxsize=65536)(self._entity)

    def relation_label(self, id_: str) -> str:
        if id_ in self._relation_names:
            return self._relation_names[id_]
        return self._graph.relation_label(id_) if self._graph is not None else id_

    def ends(self, relation: str) -> "Ends | None":
        """What the ends of a relation are in the graph, if that is known."""
        return self._ends.of(relation) if self._ends is not None else None

    def is_renamed(self, class_id: str) -> bool:
        """Whether a class has a noun that its label does not give it, and that may mean others, too."""
        return class_id in self._class_names

    def class_label(self, id_: str) -> str:
        if id_ in self._class_names:
            return self._class_names[id_]
        label = self._graph.class_label(id_) if self._graph is not None else id_
        first = label.split(" ")[0]
        keeps_capital = land_of(first) or first in word_list("capitalised_qualifiers") or not first.istitle()
        if keeps_capital or not label[len(first) :].islower() or not self._are_headings:
            return label
        return label[:1].lower() + label[1:]

    @cached_property
    def _are_headings(self) -> bool:
        """Whether all labels of classes with several words begin with a capital, which then says nothing."""
        index = getattr(self._graph, "index", None)
        labels = [self._graph.class_label(id_) for id_ in index.class_ids] if self._graph and index else []
        return all(label[:1].isupper() for label in labels if " " in label)

    def label(self, id_: str) -> str:
        return entity_label(self._graph, id_) if self._graph is not None else id_

    def value(self, literal: Literal) -> Filler:
        """The words for a value; a unit that is an entity is written as its label."""
        return filler_of_value(literal, self.label)

    def _entity(self, id_: str) -> Filler:
        """The words for an entity."""
        label = self.label(id_)
        classes = self.classes(id_)
        added = _IN_BRACKETS.search(id_)
        work = any(_WORK_CLASSES.search(name) for name in (*classes, added[1] if added else ""))
        plain_name = name_in_text(label, (*classes, "film") if work else classes, work=work)
        plain = not work and plain_name.removeprefix("the ") == label
        name = self._names.get(id_, plain_name) if plain else plain_name
        if self._apart and (distinction := self._distinction(id_, label, classes)):
            name = f"{name} ({distinction})"
        kinds = {kind_above(class_noun(class_name).one) for class_name in classes}
        if land_of(label) and (not kinds or "place" in kinds):
            return Filler(name, adjective=label, place="place" in kinds)
        if label in word_list("faith_adjectives") and not {"person", "place"} & kinds:
            return Filler(name, adjective=label)
        filler = Filler(name) if name.endswith(")") else filler_of_name(name)
        return replace(filler, counted=bool(filler.many)) if id_ in self._counted else filler

    def classes(self, id_: str) -> tuple[str, ...]:
        """The labels of the classes of an entity."""
        if self._graph is None:
            return ()
        try:
            return tuple(self.class_label(class_id) for class_id in self._graph.entity(id_).types)
        except RollcallError:  # an id that the graph does not have
            return ()

    def _distinction(self, id_: str, label: str, classes: tuple[str, ...]) -> str:
        """What distinguishes an entity from others with its label: the brackets in its id, or a class."""
        if self._graph is None:
            return ""
        namesakes = [
            namesake for namesake in self._graph.find(label) if namesake.label == label and namesake.id != id_
        ]
        if not namesakes:
            return ""
        if (brackets := _IN_BRACKETS.search(id_)) and f"({brackets[1]})" not in label:
            return brackets[1]
        their_classes = {name for namesake in namesakes for name in self.classes(namesake.id)}
        return next((class_noun(name).one for name in classes if name not in their_classes), "")
