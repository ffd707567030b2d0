"""Which RDF predicates give names and classes, and how IRIs become ids: presets and changes to them."""

import re
from collections.abc import Iterable, Sequence

import msgspec

from rollcall.errors import RollcallError

_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_SKOS = "http://www.w3.org/2004/02/skos/core#"
_SCHEMA = "http://schema.org/"
_FREEBASE = "http://rdf.freebase.com/ns/"
_DBPEDIA = "http://dbpedia.org/"
_WIKIDATA = "http://www.wikidata.org/"
WELL_KNOWN = {
    "rdf": _RDF,
    "rdfs": _RDFS,
    "skos": _SKOS,
    "schema": _SCHEMA,
    "foaf": "http://xmlns.com/foaf/0.1/",
    "owl": "http://www.w3.org/2002/07/owl#",
    "dbo": _DBPEDIA + "ontology/",
    "dbp": _DBPEDIA + "property/",
    "wdt": _WIKIDATA + "prop/direct/",
}
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*")
_NO_IRI = re.compile(r'[\s<>"{}|\\^`]')


class Vocabulary(msgspec.Struct, frozen=True):
    """Which RDF predicates give names and classes, and how IRIs are shortened to ids.

    `prefixes` maps the beginning of an IRI to its replacement in an id: an empty text or a short prefix.
    """

    label: tuple[str, ...] = (_RDFS + "label",)
    alias: tuple[str, ...] = (_SKOS + "altLabel",)
    description: tuple[str, ...] = (_RDFS + "comment",)
    type: tuple[str, ...] = (_RDF + "type",)
    subclass: tuple[str, ...] = (_RDFS + "subClassOf",)
    prefixes: tuple[tuple[str, str], ...] = ()


PRESETS = {
    "plain": Vocabulary(),
    "freebase": Vocabulary(
        label=(_FREEBASE + "type.object.name", _RDFS + "label"),
        alias=(_FREEBASE + "common.topic.alias",),
        description=(_FREEBASE + "common.topic.description",),
        type=(_FREEBASE + "type.object.type", _RDF + "type"),
        subclass=(_FREEBASE + "freebase.type_hints.included_types",),
        prefixes=((_FREEBASE, ""),),
    ),
    "dbpedia": Vocabulary(
        label=(_RDFS + "label", "http://xmlns.com/foaf/0.1/name"),
        alias=(_SKOS + "altLabel", _DBPEDIA + "ontology/alias"),
        description=(_DBPEDIA + "ontology/abstract", _RDFS + "comment"),
        prefixes=(
            (_DBPEDIA + "resource/", ""),
            (_DBPEDIA + "ontology/", "dbo:"),
            (_DBPEDIA + "property/", "dbp:"),
        ),
    ),
    "wikidata": Vocabulary(
        label=(_RDFS + "label",),
        alias=(_SKOS + "altLabel",),
        description=(_SCHEMA + "description",),
        type=(_WIKIDATA + "prop/direct/P31",),
        subclass=(_WIKIDATA + "prop/direct/P279",),
        prefixes=((_WIKIDATA + "entity/", ""), (_WIKIDATA + "prop/direct/", "")),
    ),
}


def vocabulary(
    preset: str = "plain", prefixes: Iterable[str] = (), **predicates: Sequence[str] | None
) -> Vocabulary:
    """A preset with some of its predicates replaced, and further prefixes (`IRI` or `NAME=IRI`)."""
    if preset not in PRESETS:
        raise RollcallError(f"unknown preset {preset!r}; choose one of {', '.join(PRESETS)}")
    chosen = PRESETS[preset]
    given = {role: tuple(_iri(role, iri) for iri in iris) for role, iris in predicates.items() if iris}
    return msgspec.structs.replace(
        chosen, **given, prefixes=(*chosen.prefixes, *(_prefix(text) for text in prefixes))
    )


def _iri(role: str, text: str) -> str:
    """A full IRI, given in full or with one of the common prefixes."""
    prefix, colon, name = text.removeprefix("<").removesuffix(">").partition(":")
    if not _SCHEME.fullmatch(prefix) or not colon or not name or _NO_IRI.search(name):
        raise RollcallError(
            f"--{role} {text}: is not an IRI; give a whole one, such as {_RDFS}label, or one with a prefix "
            f"of {', '.join(WELL_KNOWN)}"
        )
    return WELL_KNOWN.get(prefix, prefix + ":") + name


def _prefix(text: str) -> tuple[str, str]:
    name, equals, iri = text.partition("=")
    # An equals sign may also be part of the IRI itself.
    if equals and ":" not in name and "/" not in name:
        return iri, name + ":"
    return text, ""
