"""The properties of a world as the dump describes them: id, label, datatype, description, aliases."""

from rollcall.world.relation import Amount, Moment, Relation, Words
from rollcall.world.relations import RELATIONS

Property = tuple[str, str, str, str, tuple[str, ...]]

_ALIASES = {
    "P19": ("birthplace", "born in"),
    "P20": ("deathplace", "died in"),
    "P22": ("dad",),
    "P25": ("mum", "mom"),
    "P26": ("husband", "wife", "married to"),
    "P27": ("citizenship", "nationality"),
    "P39": ("political office held", "held position"),
    "P40": ("son", "daughter", "children"),
    "P50": ("writer", "written by"),
    "P54": ("played for", "team"),
    "P57": ("directed by", "film director"),
    "P58": ("screenplay by", "scriptwriter"),
    "P61": ("discovered by", "invented by"),
    "P69": ("alma mater", "studied at"),
    "P84": ("architects", "designed by architect"),
    "P86": ("music by", "composed by"),
    "P106": ("profession", "job"),
    "P108": ("works for", "working for"),
    "P112": ("founder", "founders"),
    "P123": ("published by",),
    "P127": ("owner",),
    "P131": ("located in", "is in"),
    "P136": ("style", "musical genre", "film genre"),
    "P159": ("headquarters", "based in"),
    "P161": ("actor", "starring", "featuring"),
    "P162": ("produced by", "film producer"),
    "P166": ("award won", "prize received"),
    "P170": ("created by", "made by"),
    "P175": ("performed by", "artist"),
    "P176": ("made by", "built by"),
    "P403": ("flows into", "river mouth"),
    "P569": ("birth date", "born on"),
    "P570": ("death date", "died on"),
    "P571": ("founded", "established", "date of foundation"),
    "P577": ("release date", "date of publication"),
    "P1082": ("inhabitants",),
    "P2043": ("long",),
    "P2044": ("altitude", "height above sea level"),
    "P2046": ("surface area",),
}


def _datatype(relation: Relation) -> str:
    objects = relation.objects
    if isinstance(objects, Amount):
        return "quantity"
    if isinstance(objects, Moment):
        return "time"
    if isinstance(objects, Words):
        return "string" if objects.of == "code" else "monolingualtext"
    return {"coordinates": "globe-coordinate", "external": "external-id"}.get(objects, "wikibase-item")


def _table() -> tuple[Property, ...]:
    table: dict[str, Property] = {
        "P31": ("P31", "instance of", "wikibase-item", "class of which this is an example", ("is a", "type")),
        "P279": (
            "P279",
            "subclass of",
            "wikibase-item",
            "class all of whose members are in this one",
            ("kind of",),
        ),
        "P580": ("P580", "start time", "time", "when a statement began to hold", ("from", "since")),
        "P582": ("P582", "end time", "time", "when a statement ceased to hold", ("to", "until")),
        "P585": (
            "P585",
            "point in time",
            "time",
            "when something took place or was counted",
            ("date", "as of"),
        ),
        "P248": ("P248", "stated in", "wikibase-item", "where a statement was found", ("source",)),
        "P813": ("P813", "retrieved", "time", "when a source was read", ("accessed",)),
        "P854": ("P854", "reference URL", "url", "address of a source", ("URL",)),
    }
    for relation in RELATIONS:
        if relation.id not in table:
            subjects = " or ".join(relation.subjects[:3])
            text = f"{relation.label} of a {subjects}"
            table[relation.id] = (
                relation.id,
                relation.label,
                _datatype(relation),
                text,
                _ALIASES.get(relation.id, ()),
            )
    return tuple(sorted(table.values(), key=lambda row: int(row[0][1:])))


PROPERTIES = _table()
