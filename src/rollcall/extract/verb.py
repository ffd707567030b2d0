"""The function `extract`, for scripts and the command line: from text alone to a graph and its corpus."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rollcall._core.errors import RollcallError
from rollcall.corpus import Corpus
from rollcall.corpus.corpus import CORPUS_FOLDER
from rollcall.corpus.make import relink_corpus, source_names
from rollcall.extract.asking import Account, ModelReader, reading_request
from rollcall.extract.facts import StatedFact, named_places, stated_facts
from rollcall.extract.merging import MergedEntities, PageFacts, merge
from rollcall.extract.records import (
    LinkTargets,
    PageReading,
    Schema,
    SentenceBlock,
    blocks_of,
    read_schema,
    write_schema,
)
from rollcall.extract.verifying import (
    Read,
    keep_stated,
    may_drop,
    proposal_requests,
    proposed_schema,
    verify,
    write_facts,
    write_statements,
)
from rollcall.graph import Graph
from rollcall.graph.index import GRAPH_FOLDER, MANIFEST
from rollcall.llm import Client, Prices, Request
from rollcall.text.nouns import counted, counted_kinds

if TYPE_CHECKING:
    from rollcall.evidence.verifiers.verifier import Verifier


# What an extraction made, and what it left out on the way.


@dataclass
class Extraction:
    """The graph, the corpus tied to it, and the account of how they were made."""

    graph: Graph
    corpus: Corpus
    statements: Path
    """A file of JSON lines: every fact with each sentence that was said to state it, and the verdict."""
    schema: Schema | None
    """None if none was given."""
    pages: int
    found: int
    """Different facts and values that were read, before they were checked."""
    kept: int
    unstated: int
    """Facts of which the verifier accepts no sentence."""
    verifier: str
    unusable: list[str] = field(default_factory=list)
    """The blocks of text to which the model gave no usable reply, with the reason."""
    asked_again: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    """What replies said that could not be used, by reason."""


# What an extraction will cost, before it starts: requests, tokens, and money where prices are given.


class Estimate(NamedTuple):
    """Requests to send, those that are answered already, and the tokens of the former.

    Tokens of prompts are a high estimate. Replies are taken to be as long as the text they are about, and are
    never longer than `most_reply_tokens`.
    """

    pages: int
    requests: int
    answered: int
    prompt_tokens: int
    reply_tokens: int
    most_reply_tokens: int
    money: float | None = None

    def __str__(self) -> str:
        known = f" ({self.answered:,} answered before)" if self.answered else ""
        money = (
            "" if self.money is None else f", about {self.money:,.{2 if self.money >= 1 else 4}f} in money"
        )
        requests = (
            f"{counted(self.pages, 'page')} in {counted(self.requests + self.answered, 'request')}{known}"
        )
        replies = f"{self.reply_tokens:,} of replies (at most {self.most_reply_tokens:,})"
        return f"{requests}: about {self.prompt_tokens:,} tokens of prompts and {replies}{money}"


def estimate(client: Client, requests: Iterable[tuple[Request, int]], pages: int) -> Estimate:
    """The cost of requests, each given with the length of its text in characters."""
    sent = answered = prompts = replies = most = 0
    for request, characters in requests:
        if client.has_answer(request):
            answered += 1
            continue
        sent += 1
        prompts += request.estimated_prompt_tokens()
        replies += min(characters // 3, request.max_tokens)
        most += request.max_tokens
    prices = client.spending.prices
    money = None if prices == Prices() else prices.of(prompts, replies)
    return Estimate(pages, sent, answered, prompts, replies, most, money)


Pages = Sequence[tuple[str, str]]
"""Pages by id and title."""


def beside_graph(out: Path, ending: str) -> Path:
    """What belongs to a graph and lies beside it: `mine.corpus` of `mine`."""
    return out.with_name(f"{out.name}.{ending}")


def propose(
    corpus: Corpus | Path | str,
    out: Path | str,
    client: "Client",
    model: str,
    *,
    sample: int = 20,
    max_tokens: int = 2048,
) -> Schema:
    """Let a model propose a schema for a corpus, from a sample of its pages, and write it to a file.

    Correct the file, and give it to `extract`.
    """
    with ExitStack() as stack:
        opened = _opened(corpus, stack)
        pages = _pages(opened, None)
        schema = proposed_schema(client, proposal_requests(model, opened, pages, sample, max_tokens))
        write_schema(schema, Path(out))
    return schema


def expected_cost(
    corpus: Corpus | Path | str,
    client: "Client",
    model: str,
    schema: Schema | Path | str,
    *,
    limit: int | None = None,
    words: int = 250,
    max_tokens: int = 2048,
) -> Estimate:
    """What `extract` with the same options will send to the server."""
    with ExitStack() as stack:
        opened = _opened(corpus, stack)
        pages = _pages(opened, limit)
        opened_schema = schema if isinstance(schema, Schema) else read_schema(Path(schema))
        requests = (
            (reading_request(model, opened_schema, block, max_tokens), len(block.text))
            for block in blocks_of(opened, pages, words)
        )
        return estimate(client, requests, len(pages))


def extract(
    corpus: Corpus | Path | str,
    out: Path | str,
    *,
    client: "Client | None" = None,
    model: str | None = None,
    schema: Schema | Path | str | None = None,
    limit: int | None = None,
    words: int = 250,
    max_tokens: int = 2048,
    max_bad: float = 0.2,
    verifier: "Verifier | str | None" = None,
    verifier_options: Mapping[str, object] | None = None,
    lose: float | None = None,
    drop: bool | None = None,
    linked: Path | str | None = None,
    statements: Path | str | None = None,
    force: bool = False,
    announce: Callable[[Estimate], None] | None = None,
    show_progress: bool | None = None,
) -> Extraction:
    """Read a graph out of a corpus, and tie the corpus to it.

    With a `client` and a `model`, a language model reads things and facts by a `schema` (a file, or what
    `propose` returned); without, links, tables and the lexicon's phrases give what they can, or with a schema
    what its relations' names say. `limit` reads
    only this number of first pages; `words` is the length of a block of text that is read in one request.
    `announce` is called with the expected cost before the first request. If more than the share `max_bad` of
    blocks gets no usable reply, the run stops.

    A `verifier`, by name or open, decides whether each fact's sentence states it (by default `learned` if its
    model is installed, else `contrast`; `none` verifies nothing), by its own threshold, or with `lose` so
    that at most this share of what is stated is expected to be lost. What it does not accept is left out of
    the graph if `drop`, and otherwise only marked; by default it is left out, but by `contrast`, which knows
    no more than these facts, only if `lose` is given.

    `out` is the graph's folder; `linked` (OUT.corpus) is a copy of the corpus that is tied to it, and
    `statements` (OUT.statements.jsonl) has every fact with its sentence.
    Replies are in the client's cache: the same call continues after a stop.
    """
    out = Path(out)
    linked = Path(linked) if linked else beside_graph(out, "corpus")
    statements = Path(statements) if statements else beside_graph(out, "statements.jsonl")
    if (client is None) != (model is None):
        raise RollcallError("a client and the name of its model belong together")
    if client is not None and schema is None:
        raise RollcallError("a model reads by a schema: give one, or let `propose` find one")
    with ExitStack() as stack:
        opened = _opened(corpus, stack)
        stack.enter_context(GRAPH_FOLDER.writing(out, [opened.folder]))
        stack.enter_context(CORPUS_FOLDER.writing(linked, [opened.folder]))
        _refuse_other(out, statements, force)
        if not force:
            CORPUS_FOLDER.refuse_other(linked, source_names(opened))
        pages = _pages(opened, limit)
        targets = LinkTargets(opened, pages)
        described = {page: _described(opened, page, title, targets) for page, title in pages}
        account = Account()
        if client is not None and model is not None:
            opened_schema = schema if isinstance(schema, Schema) else read_schema(Path(str(schema)))
            if announce is not None:
                announce(
                    expected_cost(
                        opened, client, model, opened_schema, limit=limit, words=words, max_tokens=max_tokens
                    )
                )
            reader = ModelReader(client, model, opened_schema, max_tokens=max_tokens, max_bad=max_bad)
            blocks: list[SentenceBlock] = list(blocks_of(opened, pages, words))
            readings = list(reader.read(blocks, len(blocks), show_progress))
            account = reader.account
        else:
            from rollcall.extract.without_model import read_without_model

            given = schema if isinstance(schema, Schema) or schema is None else read_schema(Path(schema))
            opened_schema, readings = read_without_model(
                opened, pages, targets, show_progress, given, account.left_out
            )
        merged = merge(readings, described, opened_schema.fits)
        facts = _facts(readings, merged, opened_schema, account, opened)
        if not facts:
            raise RollcallError(_nothing(opened, client is not None, account))
        read = Read(opened, described, opened_schema, merged, facts)
        name = verify(read, verifier, verifier_options or {}, lose, out, show_progress)
        if drop or (drop is None and (lose is not None or may_drop(verifier))):
            keep_stated(facts)
        if not any(fact.kept for fact in facts):
            raise RollcallError(
                f"the verifier {name} accepts none of {len(facts):,} facts; --verifier none keeps them all, "
                "and `rollcall verify` says how it does on sentences of yours"
            )
        write_statements(statements, facts)  # first, because a graph with statements beside it is ours
        write_facts(out, merged, facts, described, opened_schema)
        tied = relink_corpus(
            opened,
            out,
            linked,
            topics=merged.topics(),
            places=named_places(opened, list(described), merged),
            force=force,
            show_progress=show_progress,
        )
    distinct = {fact.fact for fact in facts}
    return Extraction(
        Graph.open(out),
        tied,
        statements,
        opened_schema if schema is not None else None,
        len(pages),
        len(distinct),
        len({fact.fact for fact in facts if fact.kept}),
        len(distinct - {fact.fact for fact in facts if fact.stated is not False}),
        name,
        account.unusable,
        account.asked_again,
        account.left_out,
    )


def _opened(corpus: Corpus | Path | str, stack: ExitStack) -> Corpus:
    return corpus if isinstance(corpus, Corpus) else stack.enter_context(Corpus.open(corpus))


def _pages(corpus: Corpus, limit: int | None) -> Pages:
    return [(page.id, page.title) for page in corpus.pages()][:limit]


def _described(corpus: Corpus, page: str, title: str, targets: LinkTargets) -> PageFacts:
    links = tuple((link.anchor, targets.title(link.target)) for link in corpus.links(page) if link.anchor)
    return PageFacts(title, links)


def _refuse_other(out: Path, statements: Path, force: bool) -> None:
    """Refuse to replace a graph that was not read out of text."""
    if (out / MANIFEST).exists() and not statements.exists() and not force:
        raise RollcallError(
            f"{out}: holds a graph that `rollcall extract` did not make; name another folder, or replace it "
            "with --force (force=True in Python)"
        )


def _facts(
    readings: Sequence[PageReading], merged: MergedEntities, schema: Schema, account: Account, corpus: Corpus
) -> list[StatedFact]:
    """All facts, each with the words of its sentence."""
    facts = stated_facts(readings, merged, schema, account.left_out)
    by_page: dict[str, list[StatedFact]] = {}
    for fact in facts:
        by_page.setdefault(fact.page, []).append(fact)
    for page, some in by_page.items():
        sentences = corpus.sentences(page)
        for fact in some:
            if fact.sentence is not None:
                fact.text = sentences[fact.sentence].text
    return facts


def _nothing(corpus: Corpus, model: bool, account: Account) -> str:
    if not model:
        return (
            f"{corpus.folder}: without a language model, nothing was found: no links, no table with a row a "
            "thing, and none of the lexicon's phrases; give --base-url and --model"
        )
    lost = counted_kinds(dict(account.left_out.most_common(3)))
    reasons = f" ({lost})" if lost else ""
    return (
        f"{corpus.folder}: the model read no fact that can be used{reasons}; is the schema about this text?"
    )
