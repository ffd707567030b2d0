"""Reads Wikidata's JSON dump, line by line: the array form with its trailing commas, and plain lines.

Only the fields that are kept are decoded. The decoder skips languages that were not chosen, references and
most qualifiers, which are most of a dump.
"""

import re
from functools import lru_cache
from typing import Any, ClassVar

import msgspec

from rollcall._core.errors import RollcallError
from rollcall.graph.rows import GraphShard, ValueRow, text_row, value_row
from rollcall.graph.source import GraphSourceContext, LineSource, lines_of
from rollcall.graph.sources import GRAPH_SOURCES
from rollcall.graph.sources.rows import JSON_SUFFIXES, is_wikidata
from rollcall.input_files.file_source import FileHead
from rollcall.input_files.input_file import Tally, explain
from rollcall.query.values import Date, Point, number

# Wikidata's data values as stored rows: canonical text, kind, dimension, bounds. The common forms (whole
# numbers, days, years) are converted directly; every other form is converted by `rollcall.query.values`.
# A test checks that both give the same result.

_TIME = re.compile(r"([+-]?)(\d{1,16})-(\d\d)-(\d\d)T", re.ASCII)
_INTEGER = re.compile(r"\+?(0|[1-9]\d{0,14})", re.ASCII)
_PRECISIONS = {6: "millennium", 7: "century", 8: "decade", 9: "year", 10: "month", 11: "day"}
_ONE = "Q199"
"""The item of the number 1. As a unit it means no unit; Wikidata's RDF does not distinguish them either."""
_EVERY_MONTH = 28
"""Every month has these days; `Date` checks any later day."""
_DAY, _MONTH, _YEAR, _DECADE, _COARSEST = 11, 10, 9, 8, 6


@lru_cache(maxsize=200_000)
def time_row(time: str, precision: int) -> ValueRow | str:
    """The row of a point in time, or the reason why it is not kept."""
    if precision < _COARSEST:
        return "time coarser than a millennium"
    match = _TIME.match(time)
    if match is None:
        return "unreadable time"
    sign, year_digits, month_digits, day_digits = match.groups()
    year, month, day = int(year_digits), int(month_digits), int(day_digits)
    if year == 0 or month > 12 or day > 31:
        return "unreadable time"
    precision = min(precision, _DAY)
    if precision == _DAY and day == 0:
        precision = _MONTH
    if precision == _MONTH and month == 0:
        precision = _YEAR
    if sign != "-" and year <= 9999 and precision == _DAY and day <= _EVERY_MONTH and month:
        low = float(year * 372 + (month - 1) * 31 + day - 1)
        return f"@{year:04d}-{month:02d}-{day:02d}", "date", "date", low, low
    if sign != "-" and year <= 9999 and precision == _YEAR:
        return f"@{year:04d}", "date", "date", year * 372.0, year * 372.0 + 371.0
    try:
        return value_row(_date(-year if sign == "-" else year, month, day, precision))
    except RollcallError:  # 31 February
        return "unreadable time"


def _date(year: int, month: int, day: int, precision: int) -> Date:
    """A date from Wikidata's year, which has no year 0: -44 is 44 BC."""
    if precision < _DECADE:
        # The 19th century is entered as 1801, 1850 or 1900, and all three mean 1801-1900.
        span = 100 if precision == 7 else 1000
        nth = -(-abs(year) // span)
        return Date((nth - 1) * span if year > 0 else -nth * span, precision=_PRECISIONS[precision])
    astronomical = year if year > 0 else year + 1
    return Date(
        astronomical,
        month if precision >= _MONTH else None,
        day if precision >= _DAY else None,
        _PRECISIONS[precision],
    )


@lru_cache(maxsize=200_000)
def quantity_row(amount: str, unit: str) -> ValueRow | str:
    """The row of a number, with the item id of its unit if it has one, or the reason why it is not kept."""
    if unit == "1":
        if match := _INTEGER.fullmatch(amount):
            bound = float(match[1])
            return match[1], "number", "number", bound, bound
        unit_id = None
    else:
        unit_id = unit.rpartition("/")[2]
        if not unit_id:
            return "unreadable quantity"
        if unit_id == _ONE:
            unit_id = None
    try:
        return value_row(number(amount, unit_id))
    except (RollcallError, ArithmeticError):  # not a number, or too large
        return "unreadable quantity"


def point_row(latitude: float, longitude: float) -> ValueRow | str:
    try:
        return Point(latitude, longitude).text, "point", None, None, None
    except RollcallError:
        return "unreadable coordinate"


INSTANCE_OF, SUBCLASS_OF, END_TIME = "P31", "P279", "P582"
_HIERARCHY = frozenset((INSTANCE_OF, SUBCLASS_OF))
_EARTH = "/Q2"
_IDENTIFIERS = {"external-id", "url", "commonsMedia", "geo-shape", "tabular-data", "math", "musical-notation"}


class _Term(msgspec.Struct, gc=False):
    value: str


class _SiteLink(msgspec.Struct, gc=False):
    title: str


class _DataObject(
    msgspec.Struct, gc=False, rename={"entity_type": "entity-type", "numeric_id": "numeric-id"}
):
    """The union of all objects that a data value may be; its type determines which fields it has."""

    id: str | None = None
    entity_type: str | None = None
    numeric_id: int | None = None
    text: str | None = None
    language: str | None = None
    time: str | None = None
    precision: float | None = None
    amount: str | None = None
    unit: str = "1"
    latitude: float | None = None
    longitude: float | None = None
    globe: str | None = None


class _DataValue(msgspec.Struct, gc=False):
    type: str
    value: str | _DataObject


class _Snak(msgspec.Struct, gc=False):
    snaktype: str
    datavalue: _DataValue | None = None
    datatype: str | None = None


class _EndSnak(msgspec.Struct, gc=False):
    snaktype: str


class _Qualifiers(msgspec.Struct, gc=False, rename={"ends": END_TIME}):
    ends: list[_EndSnak] = []


class _Statement(msgspec.Struct, gc=False):
    mainsnak: _Snak
    rank: str = "normal"
    # PHP writes an empty map as an empty list, here and below.
    qualifiers: _Qualifiers | list[Any] | None = None


def _entity_type(languages: tuple[str, ...], site: str) -> Any:
    """The part of an entity's JSON that is kept, as a type to decode."""

    def chosen(name: str, keys: tuple[str, ...], kind: Any) -> Any:
        fields = [(f"field_{number}", kind | None, None) for number in range(len(keys))]
        names = {f"field_{number}": key for number, key in enumerate(keys)}
        return msgspec.defstruct(name, fields, rename=names, gc=False)

    terms = chosen("Terms", languages, _Term)
    aliases = chosen("Aliases", languages, list[_Term])
    links = chosen("Links", (site,), _SiteLink)
    return msgspec.defstruct(
        "Entity",
        [
            ("id", str | None, None),
            ("type", str, "item"),
            ("labels", terms | list[Any] | None, None),
            ("descriptions", terms | list[Any] | None, None),
            ("aliases", aliases | list[Any] | None, None),
            ("sitelinks", links | list[Any] | None, None),
            ("claims", dict[str, list[_Statement]] | list[Any] | None, None),
            ("entity", str | None, None),
            ("redirect", str | None, None),
            ("missing", Any, msgspec.UNSET),
            ("deleted", Any, msgspec.UNSET),
        ],
    )


class WikidataOptions(msgspec.Struct, frozen=True):
    site: str = ""
    """The site whose page title is kept; LANGUAGEwiki unless given."""
    identifiers: bool = False
    """Whether external ids, addresses and file names are kept."""
    include_ended: bool = False
    """Whether statements that have an end time are kept."""


@GRAPH_SOURCES.register("wikidata")
class WikidataSource(LineSource):
    """Wikidata's JSON dump: the array form and plain lines."""

    Options = WikidataOptions
    suffixes: ClassVar[tuple[str, ...]] = JSON_SUFFIXES
    expects = "Wikidata JSON"

    def __init__(self, options: WikidataOptions, context: GraphSourceContext) -> None:
        common = context.options
        self._options = options
        self._type_facts = common.type_facts
        self._languages = set(common.languages)
        site = options.site or common.language.lower().replace("-", "_") + "wiki"
        kind = _entity_type(common.languages, site)
        self._decode = msgspec.json.Decoder(kind).decode
        self._decode_many = msgspec.json.Decoder(list[kind]).decode  # type: ignore[valid-type]

    @classmethod
    def open(cls, options: WikidataOptions, context: GraphSourceContext) -> "WikidataSource":
        return cls(options, context)

    @classmethod
    def recognises(cls, head: FileHead) -> bool:
        return is_wikidata(head)

    def read(self, block: bytes, shard: GraphShard, tally: Tally, first: bool) -> None:
        """Add the content of every line of the block; unreadable lines are counted and located."""
        self._shard, self._tally = shard, tally
        for line_number, line in lines_of(block, tally):
            text = line.strip(b" \t\r,")
            if text in (b"", b"[", b"]"):
                continue
            tally.entries += 1
            mark = shard.mark()
            try:
                self._read_line(line_number, text)
            except Exception as error:  # any error in one entry affects only that entry
                shard.restore(mark)
                tally.add_bad(line_number, "malformed", explain(error))

    def _read_line(self, number: int, text: bytes) -> None:
        try:
            entity = self._decode(text)
        except msgspec.DecodeError as error:
            self._read_unusual(number, text, error)
        else:
            self._read_entity(number, entity)

    def _read_unusual(self, number: int, text: bytes, error: msgspec.DecodeError) -> None:
        """A line that is not one entity: perhaps several in one array, otherwise bad."""
        try:
            entities = self._decode_many(text if text.startswith(b"[") else b"")
        except msgspec.DecodeError:
            self._tally.add_bad(number, "malformed", str(error))
            return
        self._tally.entries += len(entities) - 1
        for entity in entities:
            self._read_entity(number, entity)

    def _read_entity(self, number: int, entity: Any) -> None:
        id_ = entity.id or entity.entity
        if id_ is None:
            self._tally.add_bad(number, "malformed", "an entry without an id")
        elif entity.redirect is not None:
            self._tally.add_bad(number, "redirect", f"{id_} is redirected to {entity.redirect}")
        elif entity.missing is not msgspec.UNSET or entity.deleted is not msgspec.UNSET:
            self._tally.add_bad(number, "deleted", f"{id_} is missing or deleted")
        elif entity.type == "property":
            label, preference = _first(entity.labels)
            self._shard.relation(id_, label, _first(entity.descriptions)[0], preference)
            for alias in _aliases(entity, label):
                self._shard.relation_alias(id_, alias)
        elif entity.type != "item":
            self._tally.skip(f"{entity.type} entries")
        else:
            self._read_item(number, id_, entity)

    def _read_item(self, number: int, id_: str, entity: Any) -> None:
        label, preference = _first(entity.labels)
        description, _ = _first(entity.descriptions)
        links = entity.sitelinks
        title = links.field_0.title if links and not isinstance(links, list) and links.field_0 else None
        aliases = _aliases(entity, label)
        if not (label or description or title or aliases or entity.claims):
            self._tally.add_bad(number, "empty", f"{id_} has no claims and no name in the chosen languages")
            return
        self._shard.entity(id_, label, description, title, preference)
        for alias in aliases:
            self._shard.alias(id_, alias, "wikidata")
        if entity.claims:
            self._read_claims(id_, entity.claims)

    def _read_claims(self, id_: str, claims: dict[str, list[_Statement]]) -> None:
        # Nearly all reading time is spent in this loop, so it makes few calls.
        add_subject, add_relation, add_object = (column.append for column in self._shard.columns["facts"])
        keep_ended, skip = self._options.include_ended, self._tally.skip
        for property_, statements in claims.items():
            for statement in _best(statements) if len(statements) > 1 else statements:
                snak = statement.mainsnak
                data = snak.datavalue
                if statement.rank == "deprecated":
                    skip("deprecated statements")
                elif data is None:
                    skip(f"{snak.snaktype} statements")
                elif statement.qualifiers and not keep_ended and _ended(statement.qualifiers):
                    skip("ended statements")
                elif data.type != "wikibase-entityid":
                    self._read_value(id_, property_, snak, data)
                elif (target := _target(data.value)) is None:
                    skip("statements about lexemes and other entities")
                elif property_ in _HIERARCHY:
                    self._read_class(id_, property_, target)
                else:
                    add_subject(id_)
                    add_relation(property_)
                    add_object(target)

    def _read_class(self, id_: str, property_: str, target: str) -> None:
        if property_ == INSTANCE_OF:
            self._shard.type(id_, target)
        else:
            self._shard.subclass(id_, target)
        if self._type_facts:
            self._shard.fact(id_, property_, target)

    def _read_value(self, id_: str, property_: str, snak: _Snak, data: _DataValue) -> None:
        row = self._row(snak, data)
        if isinstance(row, str):
            self._tally.skip(row)
        else:
            self._shard.value(id_, property_, row)

    def _row(self, snak: _Snak, data: _DataValue) -> ValueRow | str:
        """The row to store, or the reason why there is none."""
        value = data.value
        if isinstance(value, str):
            if snak.datatype in _IDENTIFIERS and not self._options.identifiers:
                return "identifiers, addresses and files"
            return text_row(value)
        if data.type == "quantity" and value.amount is not None:
            return quantity_row(value.amount, value.unit)
        if data.type == "time" and value.time is not None and value.precision is not None:
            return time_row(value.time, int(value.precision))
        if data.type == "monolingualtext" and value.text is not None:
            if value.language not in self._languages:
                return "texts in other languages"
            return text_row(value.text, value.language)
        if data.type == "globecoordinate" and value.latitude is not None and value.longitude is not None:
            if value.globe is not None and not value.globe.endswith(_EARTH):
                return "places on other globes"
            return point_row(value.latitude, value.longitude)
        return f"values of type {data.type}"


def _first(terms: Any) -> tuple[str | None, int]:
    """The term in the most preferred language that has one, and the rank of that language."""
    if terms and not isinstance(terms, list):
        for rank, field in enumerate(terms.__struct_fields__):
            term = getattr(terms, field)
            if term is not None:
                return term.value, rank
    return None, 0


def _aliases(entity: Any, label: str | None) -> list[str]:
    """Aliases in every chosen language, and the labels in languages other than the label's."""
    texts: dict[str, None] = {}
    for terms in (entity.labels, entity.aliases):
        if terms and not isinstance(terms, list):
            for field in terms.__struct_fields__:
                term = getattr(terms, field)
                for alias in term if isinstance(term, list) else (term,):
                    if alias is not None and alias.value:
                        texts[alias.value] = None
    texts.pop(label, None)  # type: ignore[arg-type]
    return list(texts)


def _best(statements: list[_Statement]) -> list[_Statement]:
    preferred = [statement for statement in statements if statement.rank == "preferred"]
    return preferred or statements


def _ended(qualifiers: _Qualifiers | list[Any]) -> bool:
    """Whether there is an end time; an end time "no value" means that it has not ended."""
    return not isinstance(qualifiers, list) and any(end.snaktype != "novalue" for end in qualifiers.ends)


def _target(value: str | _DataObject) -> str | None:
    """The id of the item or property that a statement points to; older dumps give only its number."""
    if isinstance(value, str):
        return None
    if (id_ := value.id) is not None:
        return id_ if id_.startswith(("Q", "P")) else None
    if value.numeric_id is None or value.entity_type not in ("item", "property"):
        return None
    return f"{'P' if value.entity_type == 'property' else 'Q'}{value.numeric_id}"
