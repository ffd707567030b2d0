"""Lets a model propose a schema: from a sample of pages, spread over the corpus."""

from collections.abc import Sequence

from rollcall.corpus import Corpus
from rollcall.errors import RollcallError
from rollcall.extract.prompts import MOST_CLASSES, MOST_RELATIONS, proposal_request
from rollcall.extract.replies import read_object
from rollcall.extract.schema import VALUES, Schema, SchemaError, made_schema
from rollcall.llm import Client, ModelError, Request

_ATTEMPTS = 3
_WORDS = 150
"""So many words of each page of the sample are shown."""
_THING = "thing"


def proposal_requests(
    model: str, corpus: Corpus, pages: Sequence[tuple[str, str]], sample: int, max_tokens: int
) -> list[Request]:
    """The request for a schema, and those that are sent if its reply is of no use."""
    texts = []
    for page, title in _spread(pages, sample):
        words = corpus.text(page).split()
        texts.append(f"{title}. {' '.join(words[:_WORDS])}")
    return [proposal_request(model, texts, max_tokens, attempt) for attempt in range(_ATTEMPTS)]


def proposed_schema(client: Client, requests: Sequence[Request]) -> Schema:
    """The schema that a model proposes, with what does not fit together left out."""
    problem = ""
    for request in requests:
        try:
            said = client.complete(request)
        except ModelError as error:
            problem = str(error)
            continue
        found = read_object(said.text, "relations")
        schema = None if found is None else _usable(found)
        if schema is not None:
            return schema
        client.forget(request)
        problem = f"its reply is no schema ({' '.join(said.text.split())[:60]!r})"
    raise RollcallError(
        f"{requests[0].model} proposes no schema: {problem}; write one yourself and give it with --schema "
        "(docs/extract.md shows the form)"
    )


def _spread(pages: Sequence[tuple[str, str]], sample: int) -> list[tuple[str, str]]:
    """So many pages, evenly spread."""
    size = min(sample, len(pages))
    return [pages[number * len(pages) // size] for number in range(size)]


def _usable(said: dict[str, object]) -> Schema | None:
    """The schema in a reply: names trimmed, and relations with unknown ends given the class of all things."""
    classes, relations = _named(said.get("classes")), _named(said.get("relations"))
    meanings = [(name, _meaning(one)) for name, one in classes.items() if name.lower() not in VALUES]
    known: dict[str, object] = dict(meanings[:MOST_CLASSES])
    by_fold = {name.lower(): name for name in known} | {value: value for value in VALUES}
    made: dict[str, dict[str, str]] = {}
    for name, one in relations.items():
        if not isinstance(one, dict):
            continue
        ends = {
            end: by_fold.get(str(one.get(end, "")).strip().lower(), _THING) for end in ("subject", "object")
        }
        if ends["subject"] in VALUES:
            continue
        more = {key: _line(one[key]) for key in ("meaning", "example") if isinstance(one.get(key), str)}
        made.setdefault(name, {**ends, **more})
    made = dict(list(made.items())[:MOST_RELATIONS])
    if any(_THING in (one["subject"], one["object"]) for one in made.values()) and _THING not in by_fold:
        whole = {name: {"meaning": meaning, "parent": _THING} for name, meaning in known.items()}
        known = {**whole, _THING: "anything else that has a name"}
    try:
        return made_schema({"classes": known, "relations": made})
    except SchemaError:
        return None


def _named(value: object) -> dict[str, object]:
    """What is given by name, as an object or as a list of objects with names; each name once."""
    if isinstance(value, list):
        value = {str(one["name"]): one for one in value if isinstance(one, dict) and "name" in one}
    if not isinstance(value, dict):
        return {}
    found: dict[str, object] = {}
    for name, one in value.items():
        plain = _line(str(name).replace("_", " "))
        if plain and plain.lower() not in {known.lower() for known in found}:
            found[plain] = one
    return found


def _meaning(value: object) -> str:
    if isinstance(value, dict):
        value = value.get("meaning", "")
    return _line(value) if isinstance(value, str) else ""


def _line(text: object) -> str:
    return " ".join(str(text).split())[:300]
