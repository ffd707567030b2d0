"""How ids and values are written in RDF, for SPARQL queries and for exporting a graph.

No two ids and no two values share a term, and every store keeps the terms apart: what RDF's own vocabulary
cannot hold gets an IRI or a datatype under a base instead.

- An id that is an IRI stands for itself; any other goes under the base, percent-encoded.
- A number is `xsd:decimal` where every store keeps all its digits, otherwise of a datatype of our own.
- A date has the XML Schema type of its precision. Decades, centuries and millennia have none, nor has a
  29 February that only the Julian calendar has: those are EDTF.
- A quantity is typed with its dimension and unit, and carries its place in the order of that dimension
  behind its amount, since no store could convert every amount without rounding.
- A text in a language whose code RDF does not admit is typed with that code.
"""

import re
from urllib.parse import quote, unquote

from rollcall.errors import RollcallError
from rollcall.query.values import Date, Number, Point, Text, Value, days_of, escape, number, parse_edtf

XSD = "http://www.w3.org/2001/XMLSchema#"
EDTF = "http://id.loc.gov/datatypes/edtf/EDTF"
WKT = "http://www.opengis.net/ont/geosparql#wktLiteral"
BASE = "urn:rollcall:"

TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
SUBCLASS = "http://www.w3.org/2000/01/rdf-schema#subClassOf"
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
_OWN_PREDICATES = (TYPE, SUBCLASS, LABEL)
"""What the layout itself says with: a relation of that name must not be taken for it."""

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
"""So many digits, on both sides of the point, any store's `xsd:decimal` keeps, and double precision too."""


def iri(id_: str, base: str = BASE) -> str:
    """The IRI of an id: itself, or under the base with odd characters percent-encoded."""
    itself = _IRI.fullmatch(id_) and not id_.startswith(base) and id_ not in _OWN_PREDICATES
    return id_ if itself else base + quote(id_, safe="")


def id_of(iri_: str, base: str = BASE) -> str:
    """The inverse of `iri`."""
    return unquote(iri_[len(base) :]) if iri_.startswith(base) else iri_


def number_type(base: str = BASE) -> str:
    """The datatype of numbers with more digits than `xsd:decimal` is sure to keep."""
    return base + "number"


def quantity_type(dimension: str | None = None, unit: str | None = None, base: str = BASE) -> str:
    """The datatype of quantities in a unit; or how those of one dimension, or all of them, begin."""
    parts = ["quantity", *(quote(part, safe="") for part in (dimension, unit) if part is not None)]
    return base + ":".join(parts) + (":" if unit is None else "")


def _language_type(language: str, base: str) -> str:
    return f"{base}text:{language}"


def has_schema_type(value: Date) -> bool:
    """Whether XML Schema has a type for the date, which SPARQL's functions for years and months know."""
    if value.precision not in _DATE_TYPES:
        return False
    return value.month is None or value.day is None or value.day <= days_of(value.year, value.month)


def is_rdf_language(language: str) -> bool:
    """Whether every store takes this for a language tag."""
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
    """As Wikidata writes it: a whole number without a point."""
    return repr(angle).removesuffix(".0")


def literal_text(value: Value, base: str = BASE) -> str:
    """A value as N-Triples, Turtle and SPARQL write it."""
    lexical, datatype, language = typed_literal(value, base)
    quoted = f'"{_CONTROL.sub(_code_point, escape(lexical, chr(34)))}"'
    if language is not None:
        return f"{quoted}@{language}"
    return quoted if datatype is None else f"{quoted}^^<{datatype}>"


_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
"""Control characters and line breaks, which text is cut at in some places."""


def _code_point(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04X}"


def value_of(lexical: str, datatype: str | None, language: str | None, base: str = BASE) -> Value:
    """The value that an RDF literal stands for; what has no better reading is a text."""
    if language is not None:
        return Text(lexical, language)
    try:
        if datatype is not None and (value := _typed_value(lexical, datatype, base)) is not None:
            return value
    except RollcallError:  # ill-typed, as real data is
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
    """The point of a well-known text, longitude first; nothing for other shapes."""
    found = _POINT.fullmatch(lexical)
    return None if found is None else Point(float(found[2]), float(found[1]))


_DEGREES = r"([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
_POINT = re.compile(rf"(?:<[^>]*>\s*)?Point\s*\(\s*{_DEGREES}\s+{_DEGREES}\s*\)", re.IGNORECASE)
_NUMERIC_TYPES = re.compile(
    "decimal|double|float|((non)?(positive|negative))?integer|(unsigned)?(int|long|short|byte)"
)
