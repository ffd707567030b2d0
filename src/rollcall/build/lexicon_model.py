"""Lets a language model write the entries of a lexicon: one request a relation, each reply checked.

A reply that is not a valid entry is not used; the entry then stays what the label alone gives.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from rollcall.errors import RollcallError
from rollcall.llm import Client, ModelError, Reply, Request
from rollcall.llm.records import ask
from rollcall.wording.entry_file import Fields, entry_of
from rollcall.wording.stub import Known, fields_of

_SYSTEM = """\
You write entries of a lexicon that turns facts of a knowledge graph into English questions. Reply with one \
JSON object with the texts noun, forward, backward, subjects, objects, and nothing else.
forward says the relation of the subject and begins with a verb in the third person singular; it holds \
{object} exactly once. backward says it of the object and holds {subject} exactly once; leave it empty if \
the noun says it best. noun is what the object is to the subject (director), in the singular, or empty if \
there is no such noun. subjects and objects are the nouns for the ends: person, film, company, place, thing, \
person or thing; for values date, number, quantity or text."""
_EXAMPLE = (
    "relation: director\nexamples: Marl Tide – Orla Venn; The Tin Door – Ada Moss",
    '{"noun": "director", "forward": "was directed by {object}", "backward": "directed {subject}", '
    '"subjects": "film", "objects": "person"}',
)
_NAMES = ("noun", "forward", "backward", "subjects", "objects")
_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {name: {"type": "string"} for name in _NAMES},
    "required": list(_NAMES),
    "additionalProperties": False,
}


class ModelEntries:
    """Fills in entries with a model of a server."""

    def __init__(self, client: Client, model: str):
        self._client, self._model = client, model

    def __call__(self, relations: Mapping[str, Known]) -> Iterator[tuple[str, dict[str, str] | str]]:
        """The fields of each relation, or the reason why the reply cannot be used."""
        requests = ((relation, self._request(known)) for relation, known in relations.items())
        for relation, reply in self._client.complete_all(requests):
            if isinstance(reply, ModelError):
                yield relation, str(reply)
            else:
                yield relation, _fields(relation, relations[relation], reply)

    def _request(self, known: Known) -> Request:
        prompt = f"relation: {known.entry.label}\nexamples: {'; '.join(known.examples)}"
        return ask(self._model, prompt, _SYSTEM, (_EXAMPLE,), max_tokens=300, schema=_SCHEMA)


def _fields(relation: str, known: Known, reply: Reply) -> dict[str, str] | str:
    """The checked fields of a reply, or what is wrong with it."""
    text = reply.text[reply.text.find("{") : reply.text.rfind("}") + 1]
    try:
        given = msgspec.json.decode(text, type=dict[str, str])
    except msgspec.DecodeError:
        return "the reply is not a JSON object of texts"
    fields = {"label": known.entry.label} | {name: " ".join(given.get(name, "").split()) for name in _NAMES}
    fields = {name: value for name, value in fields.items() if value or name == "noun"}
    if "forward" not in fields:
        return "the reply has no forward clause"
    try:
        entry = entry_of(relation, Fields(Path("the reply"), 1, fields))
    except RollcallError as error:
        return str(error)
    return fields_of(entry)
