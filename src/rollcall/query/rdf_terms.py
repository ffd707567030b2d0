"""How ids and values are written in RDF, for SPARQL queries and for exporting a graph.

No two ids and no two values share a term, and every store distinguishes the terms. An id or value that RDF's
own vocabulary cannot represent gets an IRI or a datatype under a base.

- An id that is an IRI is written unchanged; any other id is percent-encoded and appended to the base.
- A number is `xsd:decimal` if every store keeps all its digits, otherwise it has Rollcall's own datatype.
- A date has the XML Schema type of its precision. Decades, centuries and millennia have no such type, nor has
  a 29 February that exists only in the Julian calendar: these are written as EDTF.
- A quantity is typed with its dimension and unit. Its position in the order of that dimension follows the
  amount, since no store could convert every amount without rounding.
- A text in a language whose code RDF does not allow is typed with that code.
"""

import re
from urllib.parse import quote, unquote

from rollcall._core.errors import RollcallError
from rollcall.query.values import Date, Number, Point, Text, Value, days_of, escape, number, parse_edtf

XSD = "http://www.w3.org/2001/XMLSchema#"
EDTF = "http://id.loc.gov/datatypes/edtf/EDTF"
WKT = "http://www.opengis.net/ont/geosparql#wktLiteral"
BASE = "urn:rollcall:"

TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
SUBCLASS = "http://www.w3.org/2000/01/rdf-schema#subClassOf"
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
_OWN_PREDICATES = (TYPE, SUBCLASS, LABEL)
"""The predicates of the layout itself: a relation with one of these names must not be confused with them."""

_LETTER = (
    r"\w\-.~!$&'()*+,;=:@\u00a1-\u167f\u1681-\u1fff\u2010-\u2027\u2030-\u205e\u2070-\u2fff\u3001-\ud7ff"
    r"\uf900-\ufdcf\ufdf0-\uffef\U00010000-\U0001fffd\U00020000-\U0002fffd"
)
_PART = rf"(?:[{_LETTER}/]|%[0-9A-Fa-f]{{2}})*"
_LAST_PART = rf"(?:[{_LETTER}/?]|%[0-9A-Fa-f]{{2}})*"
_IRI = re.compile(
    rf"(?:(?:https?|file)://[A-Za-z0-9.-]*(?::[0-9]+)?(?:/{_PART})?|(?:urn|tag):[A-Za-z0-9]{_PART})"
    rf"(?:\?{_LAST_PART})?(?:#{_LAST_PART})?"
)
_LANGUAGE = re.compile(
    "[a-z]{2,8}(-[a-z]{4})?(-([a-z]{2}|[0-9]{3}))?(-[a-z0-9]{5,8})?(-x(-[a-z0-9]{1,8})+)?|[a-z]{2,3}-[a-z]{3}"
)
_DATE_TYPES = {"day": XSD + "date", "month": XSD + "gYearMonth", "year": XSD + "gYear"}
_DIGITS_EVERYWHERE = 15
"""The digits on both sides of the point that `xsd:decimal` of any store keeps, and double precision too."""


def iri(id_: str, base: str = BASE) -> str:
    """The IRI of an id: the id itself, or the base with the percent-encoded id."""
    itself = _IRI.fullmatch(id_) and not id_.startswith(base) and id_ not in _OWN_PREDICATES
    return id_ if itself else base + quote(id_, safe="")


def id_of(iri_: str, base: str = BASE) -> str:
    """The inverse of `iri`."""
    return unquote(iri_[len(base) :]) if iri_.startswith(base) else iri_


def number_type(base: str = BASE) -> str:
    """The datatype of numbers with more digits than `xsd:decimal` is certain to keep."""
    return base + "number"


def quantity_type(dimension: str | None = None, unit: str | None = None, base: str = BASE) -> str:
    """The datatype of quantities in a unit; or the common prefix for one dimension, or for all quantities."""
    parts = ["quantity", *(quote(part, safe="") for part in (dimension, unit) if part is not None)]
    return base + ":".join(parts) + (":" if unit is None else "")


def _language_type(language: str, base: str) -> str:
    return f"{base}text:{language}"


def has_schema_type(value: Date) -> bool:
    """Whether XML Schema has a type for the date that SPARQL's functions for year and month support."""
    if value.precision not in _DATE_TYPES:
        return False
    return value.month is None or value.day is None or value.day <= days_of(value.year, value.month)


def is_rdf_language(language: str) -> bool:
    """Whether every store accepts this as a language tag."""
    return _LANGUAGE.fullmatch(language) is not None


def typed_literal(value: Value, base: str = BASE) -> tuple[str, str | None, str | None]:
    """A value as RDF: its lexical form, its datatype, its language."""
    if isinstance(value, Number):
        amount = f"{value.amount:f}"
        if value.unit is not None:
            bounds = value.bounds
            return f"{amount} {bounds.low!r}", quantity_type(bounds.dimension, value.unit, base), None
        return amount, XSD + "decimal" if is_plain_decimal(value) else number_type(base), None
    if isinstance(value, Date):
        return value.edtf, _DATE_TYPES[value.precision] if has_schema_type(value) else EDTF, None
    if isinstance(value, Point):
        return f"Point({_degrees(value.longitude)} {_degrees(value.latitude)})", WKT, None
    if value.language is not None and not is_rdf_language(value.language):
        return value.content, _language_type(value.language, base), None
    return value.content, None, value.language


def is_plain_decimal(value: Number) -> bool:
    """Whether every store's `xsd:decimal` keeps all digits of a number, and compares it exactly."""
    digits = value.amount.as_tuple()
    fraction = -int(digits.exponent)
    return len(digits.digits) <= _DIGITS_EVERYWHERE and max(value.amount.adjusted(), fraction) <= (
        _DIGITS_EVERYWHERE
    )


def _degrees(angle: float) -> str:
    """Degrees as Wikidata writes them: a whole number has no decimal point."""
    return repr(angle).removesuffix(".0")


def literal_text(value: Value, base: str = BASE) -> str:
    """A value as N-Triples, Turtle and SPARQL write it."""
    lexical, datatype, language = typed_literal(value, base)
    quoted = f'"{_CONTROL.sub(_code_point, escape(lexical, chr(34)))}"'
    if language is not None:
        return f"{quoted}@{language}"
    return quoted if datatype is None else f"{quoted}^^<{datatype}>"


_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
"""Control characters and line breaks; some programs split text at them."""


def _code_point(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04X}"


def value_of(lexical: str, datatype: str | None, language: str | None, base: str = BASE) -> Value:
    """The value of an RDF literal; a literal that cannot be read as another value is a text."""
    if language is not None:
        return Text(lexical, language)
    try:
        if datatype is not None and (value := _typed_value(lexical, datatype, base)) is not None:
            return value
    except RollcallError:  # ill-typed, which is common in real data
        pass
    return Text(lexical)


def _typed_value(lexical: str, datatype: str, base: str) -> Value | None:
    if datatype.startswith(quantity_type(base=base)):
        return number(lexical.partition(" ")[0], unquote(datatype.rpartition(":")[2]))
    if datatype == number_type(base):
        return number(lexical)
    if datatype.startswith(_language_type("", base)):
        return Text(lexical, datatype.removeprefix(_language_type("", base)))
    if datatype == WKT:
        return point_of(lexical)
    name = datatype.removeprefix(XSD).lower()  # published files write datetime for dateTime
    if _NUMERIC_TYPES.fullmatch(name):
        return number(lexical)
    if name in ("date", "gyear", "gyearmonth", "datetime") or datatype == EDTF:
        return parse_edtf(re.sub(r"(T.*|Z|[+-]\d\d:\d\d)$", "", lexical))
    return None


def point_of(lexical: str) -> Point | None:
    """The point in a WKT literal (well-known text), longitude first; None for other shapes."""
    match = _POINT.fullmatch(lexical)
    return None if match is None else Point(float(match[2]), float(match[1]))


_DEGREES = r"([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
_POINT = re.compile(rf"(?:<[^>]*>\s*)?Point\s*\(\s*{_DEGREES}\s+{_DEGREES}\s*\)", re.IGNORECASE)
_NUMERIC_TYPES = re.compile(
    "decimal|double|float|((non)?(positive|negative))?integer|(unsigned)?(int|long|short|byte)"
)
