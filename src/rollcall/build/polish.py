"""The stage in which a language model rephrases questions (`wording.polish: URL, MODEL`).

A new wording is accepted only if nothing of the question is lost: all its names and figures are kept, `ask`
explains all of its words that it explained before, and it leads to the same query. The old wording stays as
another wording of the question. What is refused keeps its wording; the summary counts why.

Replies are kept in `.build/polish.sqlite`, so that a build that was interrupted does not pay for them again.

- `Polish`: the address and the model, from the key of the recipe.
- `polish`: the stage. Input: `worded` of the stage `word`. Output: the same table with the new wordings.
- `refusal`: why a new wording is not accepted.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from rollcall._core.errors import RollcallError
from rollcall._core.files import checked_address
from rollcall.build.lexicon import LexiconFiles, build_lexicon
from rollcall.build.stage import Inputs, KeyMistakeError, Outcome, Work
from rollcall.graph import Graph
from rollcall.query import Query, Typing
from rollcall.systems.ask.asker import Asker
from rollcall.tables.build import WordedQueries
from rollcall.tables.files import records, write_records
from rollcall.wording.naming import entity_label

if TYPE_CHECKING:
    from rollcall.llm import Client, Request

KEY = "wording.polish"
STAGE = "polish"
_SYSTEM = """You rephrase questions so that they sound natural. Ask for exactly the same things, under the \
same conditions. Keep every name, number and date as it is written. Add nothing and leave nothing out. \
Reply with the new question alone, on one line. If the question is natural already, repeat it."""
_EXAMPLES = (
    ("What are the genres of Marl Tide?", "Which genres does Marl Tide belong to?"),
    ("Which boats have teak as their material?", "Which boats are made of teak?"),
)
_FIGURES = re.compile(r"\d+")
_LONGER = 2
"""How many times as long as before a question may become."""
_MARKS = "\"'“”‘’`* "


class Polish(NamedTuple):
    """Which model rephrases questions."""

    base_url: str
    model: str

    @classmethod
    def of(cls, wording: LexiconFiles) -> "Polish | None":
        """What the key of a recipe says; None if questions stay as they are."""
        if wording.polish is None:
            return None
        address, comma, model = (part.strip() for part in wording.polish.partition(","))
        if not (comma and address and model):
            raise KeyMistakeError(
                f"{KEY}: {wording.polish!r} is not an address and a model; write it as "
                "http://localhost:8000/v1, NAME",
                KEY,
            )
        try:
            return cls(checked_address(address), model)
        except RollcallError as error:
            raise KeyMistakeError(f"{KEY}: {error}", KEY) from None


def polish(parameters: Any, inputs: Inputs, model: Polish, work: Work) -> Outcome:
    """Rephrase the worded questions and keep what still asks for the same query."""
    from rollcall.llm import Client, ReplyCache

    rows = list(records(WordedQueries, work.table("word", "worded")))
    refused: Counter[str] = Counter()
    cache = ReplyCache(work.before["word"].parent / "polish.sqlite")
    client = Client(model.base_url, cache=cache)
    try:
        texts = _rephrased([row["question"] for row in rows], client, model.model)
    finally:
        client.close()
    if rows and not any(texts):
        raise RollcallError(f"{KEY}: no reply of {model.model} has a question")
    with Graph.open(inputs.graph) as graph:
        asker = Asker(graph, lexicon=build_lexicon(parameters.wording))
        asked = Counter(row["question"] for row in rows)
        for row, text in zip(rows, texts, strict=True):
            reason = "the reply has no question" if text is None else refusal(asker, row, text)
            if reason is None and text is not None and asked[text]:
                reason = "another question has these words"
            if reason is not None or text is None:
                refused[str(reason)] += 1
                continue
            asked[text] += 1
            others = [row["question"], *(other for other in row["wordings"] if other != text)]
            row["question"], row["wordings"] = text, others
    write_records(WordedQueries, work.out("worded"), rows)
    accepted = len(rows) - refused.total()
    unchanged = refused.pop(_SAME, 0)
    reasons = "; ".join(f"{count:,} {reason}" for reason, count in sorted(refused.items()))
    note = f"{model.model} rephrased {accepted:,} of {len(rows):,} questions, left {unchanged:,} as they were"
    note += f"; refused are {refused.total():,}: {reasons}" if refused else ""
    counts = {"rephrased": accepted, _SAME: unchanged}
    counts |= {f"not rephrased, {reason}": count for reason, count in sorted(refused.items())}
    return Outcome(len(rows), notes=[note], counts={name: count for name, count in counts.items() if count})


_SAME = "left as it was"


def _rephrased(questions: Sequence[str], client: "Client", model: str) -> list[str | None]:
    """What a model makes of each question; None where its reply has no question."""
    from rollcall.llm import Reply

    texts: list[str | None] = [None] * len(questions)
    for number, reply in client.complete_all(_requests(questions, model)):
        if isinstance(reply, Reply):
            texts[number] = _question_in(reply.text)
    return texts


def _requests(questions: Sequence[str], model: str) -> "Iterator[tuple[int, Request]]":
    from rollcall.llm.server import ask

    for number, question in enumerate(questions):
        yield number, ask(model, question, _SYSTEM, _EXAMPLES, max_tokens=200)


def _question_in(reply: str) -> str | None:
    """The last line of a reply that is a question: what comes before may be a thought or an introduction."""
    lines = (" ".join(line.split()).strip(_MARKS) for line in reply.splitlines())
    return next((line for line in reversed(list(lines)) if line.endswith("?")), None)


def refusal(asker: Asker, row: Mapping[str, Any], text: str) -> str | None:
    """Why a new wording of a worded query is not accepted; None if it is."""
    old = row["question"]
    if text == old:
        return _SAME
    query = Query.parse(row["query"])
    if not _keeps_names(asker.graph, query, old, text):
        return "a name or figure was lost"
    if len(text) > _LONGER * len(old):
        return "it became too long"
    understanding = asker.understand(text)
    if understanding.query is None or not _is_same(asker.graph, understanding.query, query):
        return "ask understands another query"
    if {*map(str.lower, understanding.not_understood)} - {
        *map(str.lower, asker.understand(old).not_understood)
    }:
        return "ask does not understand a word"
    return None


def _keeps_names(graph: Graph, query: Query, old: str, text: str) -> bool:
    """Whether a text has all names of the entities and all figures that the old wording has."""
    names = [entity_label(graph, entity).casefold() for entity in query.entities]
    named = [name for name in names if name in old.casefold()]
    figures = Counter(_FIGURES.findall(text))
    return all(name in text.casefold() for name in named) and figures == Counter(_FIGURES.findall(old))


def _is_same(graph: Graph, query: Query, other: Query) -> bool:
    """Whether two queries are one, or differ only in classes that change no answer."""
    if query.text == other.text:
        return True
    bare, other_bare = _without_classes(query), _without_classes(other)
    if bare is None or other_bare is None or bare.text != other_bare.text:
        return False
    return graph.answers(query) == graph.answers(other)


def _without_classes(query: Query) -> Query | None:
    """The query without the classes of its nodes; None if too little is left for a query."""
    try:
        return Query(
            tuple(
                replace(
                    pattern,
                    statements=tuple(part for part in pattern.statements if not isinstance(part, Typing)),
                )
                for pattern in query.patterns
            ),
            query.aggregate,
        )
    except RollcallError:
        return None
