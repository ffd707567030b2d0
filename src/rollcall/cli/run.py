"""`rollcall run`: a system answers a question set and leaves a run."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from rollcall.address import checked_address
from rollcall.cli import system_options as options
from rollcall.cli.options import LARGEST_SEED
from rollcall.cli.outputs import writing
from rollcall.errors import RollcallError
from rollcall.terminal import say

if TYPE_CHECKING:
    from rollcall.llm import Client
    from rollcall.questions import Prediction, Question
    from rollcall.systems.interfaces import Reader, Retriever


@writing("out", reads=["corpus", "graph"], asks=["questions"])
def run(
    questions: options.Set,
    out: Annotated[Path, typer.Option(help="The run to write, or to go on with.")],
    corpus: Annotated[
        Path | None, typer.Option(help="A folder made by `rollcall corpus`; closed-book needs none.")
    ] = None,
    graph: Annotated[
        Path | None, typer.Option(help="A folder made by `rollcall graph`, for the reader mentions.")
    ] = None,
    retriever: options.Retriever = "bm25",
    reader: Annotated[str, typer.Option(help="mentions, llm, or all-candidates.")] = "mentions",
    way: Annotated[
        Literal["passages", "each", "closed-book", "closed"],
        typer.Option(
            help="llm: all passages in a prompt, each by itself, none, or yes/no to each candidate."
        ),
    ] = "passages",
    k: Annotated[int, typer.Option(min=1, help="Passages retrieved for a question.")] = 100,
    passages: Annotated[
        int | None,
        typer.Option(min=0, help="llm: passages shown; 0 for as many as fit.", show_default="15; closed: 3"),
    ] = None,
    context: Annotated[int, typer.Option(min=256, help="llm: tokens that fit into a prompt.")] = 8192,
    shots: Annotated[int, typer.Option(min=0, help="llm: examples from the training split.")] = 0,
    calibrate: Annotated[
        bool, typer.Option(help="llm, closed: score candidates against one another.")
    ] = True,
    tune: Annotated[
        bool, typer.Option(help="mentions: fit it to the training split, if there is one.")
    ] = True,
    verify: Annotated[
        Literal["no", "words", "model"],
        typer.Option(help="Drop answers that further passages do not support."),
    ] = "no",
    keep_passages: Annotated[bool, typer.Option("--keep-passages", help="Write the passages too.")] = False,
    time: Annotated[bool, typer.Option("--time", help="Write how long each question took.")] = False,
    split: options.Split = None,
    limit: options.Limit = None,
    seed: Annotated[int, typer.Option(min=0, max=LARGEST_SEED, help="Which examples are drawn.")] = 0,
    base_url: options.BaseUrl = None,
    model: options.Model = None,
    concurrency: options.Concurrency = 8,
    per_minute: options.PerMinute = None,
    timeout: options.Timeout = 120.0,
    max_tokens: options.MaxTokens = 1024,
    budget_tokens: options.BudgetTokens = None,
    budget_money: options.BudgetMoney = None,
    price: options.Price = None,
    cache: options.Cache = None,
    k1: options.K1 = 1.2,
    b: options.B = 0.75,
    encoder: options.Encoder = None,
    passage_encoder: options.PassageEncoder = None,
    pooling: options.Pooling = "auto",
    faiss: options.FaissIndex = "Flat",
    sample: options.Sample = None,
    index: options.Index = None,
) -> None:
    """Answer every question; killed and started again, it goes on where it was."""
    from rollcall.cli.asked_set import (
        chosen_questions,
        content_of,
        fingerprint,
        retriever_settings,
        scoring_command,
    )
    from rollcall.systems.catalogue import RetrieverOptions
    from rollcall.systems.running import Running

    if base_url is not None:
        checked_address(base_url)
    every, chosen = chosen_questions(questions, split, limit)
    _check(reader, way, corpus, graph, base_url, model, verify)
    client = None
    if base_url is not None and model is not None:
        place = cache or out.with_name(f"{out.name}.cache")
        client = _client(
            base_url, concurrency, per_minute, timeout, (budget_tokens, budget_money, price), place
        )
    found = None
    parameters = RetrieverOptions(k1, b, encoder, passage_encoder, pooling, faiss, sample, index)
    if corpus is not None:
        found = _retriever(retriever, corpus, every, parameters)
    if reader == "mentions":
        assert graph is not None
        assert found is not None
        made = _mentions(graph, found, every, k, tune)
    elif reader == "llm":
        assert client is not None
        assert model is not None
        asking = _asking(way, passages, context, max_tokens, calibrate)
        made = _language_model(client, model, way, every, (shots, seed), asking)
    else:
        from rollcall.systems.read.candidates import AllCandidates

        made = AllCandidates()
    if verify != "no":
        assert found is not None
        made = _verified(made, found, verify, client, model)
    settings = {
        "questions": fingerprint(chosen),
        "corpus": content_of(corpus, "corpus.json"),
        "graph": content_of(graph, "graph.json"),
        "retriever": found.name if found is not None else None,
        "reader": made.name,
        "k": k,
        "shots": shots,
        "seed": seed,
        "passages": passages,
        "keep_passages": keep_passages,
        "context": context,
        "max_tokens": max_tokens,
        "calibrate": calibrate,
        "tune": tune,
        "verify": verify,
        "server": [base_url, model],
        **(retriever_settings(parameters) if found is not None else {}),
    }
    running = Running(
        chosen,
        None if way == "closed-book" and reader == "llm" else found,
        made,
        k=k,
        keep_passages=keep_passages,
        timed=time,
        settings=settings,
        f1=_f1 if any(one.answers for one in chosen) else None,
        remark=(lambda: str(client.spending)) if client is not None else (lambda: ""),
    )
    try:
        done = running.run(out)
    finally:
        if client is not None:
            say(f"language model: {client.spending}")
            client.close()
    failed = [one for one in done if one.failure is not None]
    say(f"{out}: {len(done)} questions by {made.name}" + (f" over {found.name}" if found is not None else ""))
    if failed:
        say(f"{len(failed)} failed, the first because {failed[0].failure}; the same command tries them again")
    say(f"next: {scoring_command(questions, out, split, limit)}")


def _check(
    reader: str,
    way: str,
    corpus: Path | None,
    graph: Path | None,
    base_url: str | None,
    model: str | None,
    verify: str,
) -> None:
    """Say what is missing before anything is loaded."""
    from rollcall.systems.catalogue import READERS

    if reader not in READERS:
        raise RollcallError(f"{reader!r} is no reader; use {', '.join(READERS)}")
    needs_corpus = reader == "mentions" or verify != "no" or (reader == "llm" and way in ("passages", "each"))
    if needs_corpus and corpus is None:
        raise RollcallError("passages are needed for this: give --corpus")
    if reader == "mentions" and graph is None:
        raise RollcallError("the reader mentions knows entities by a graph: give --graph")
    if (reader == "llm" or verify == "model") and (base_url is None or model is None):
        raise RollcallError("a language model is needed for this: give --base-url and --model")


def _client(
    base_url: str,
    concurrency: int,
    per_minute: float | None,
    timeout: float,
    limits: tuple[int | None, float | None, str | None],
    cache: Path,
) -> "Client":
    from rollcall.llm import Budget, Client, Prices, ReplyCache

    tokens, money, price = limits
    prices = Prices()
    if price is not None:
        try:
            prompt, completion = (float(part) for part in price.split(","))
        except ValueError:
            raise RollcallError(f"--price {price}: write two numbers, as 0.5,1.5") from None
        prices = Prices(prompt, completion)
    return Client(
        base_url,
        concurrency=concurrency,
        per_minute=per_minute,
        timeout=timeout,
        budget=Budget(tokens, money),
        prices=prices,
        cache=ReplyCache(cache),
    )


def _retriever(name: str, corpus: Path, every: "list[Question]", parameters: Any) -> "Retriever":
    from rollcall.corpus import Corpus
    from rollcall.systems.catalogue import open_retriever

    return open_retriever(name, Corpus.open(corpus), every, parameters)


def _mentions(graph: Path, found: "Retriever", every: "list[Question]", k: int, tune: bool) -> "Reader":
    from rollcall.graph import Graph
    from rollcall.systems.catalogue import open_mentions

    return open_mentions(Graph.open(graph), found, every, k, tune=tune)


def _asking(way: str, passages: int | None, context: int, max_tokens: int, calibrate: bool) -> dict[str, Any]:
    if way == "closed":
        return {"passages": 3 if passages is None else passages, "calibrate": calibrate}
    return {"passages": 15 if passages is None else passages, "context": context, "max_tokens": max_tokens}


def _language_model(
    client: "Client", model: str, way: Any, every: "list[Question]", drawing: tuple[int, int], asking: Any
) -> "Reader":
    from rollcall.systems.catalogue import open_language_model
    from rollcall.systems.read.shots import drawn

    shots, seed = drawing
    examples = drawn(every, shots, seed)
    if shots and not examples:
        raise RollcallError(
            "examples are drawn from the training split, and this set has none: leave out --shots"
        )
    return open_language_model(client, model, way, examples, asking)


def _verified(
    reader: "Reader", found: "Retriever", verify: str, client: "Client | None", model: str | None
) -> "Reader":
    from rollcall.systems.read.verification import ModelCheck, Verified, WordCheck

    if verify == "words":
        return Verified(reader, found, WordCheck())
    assert client is not None
    assert model is not None
    return Verified(reader, found, ModelCheck(client, model))


def _f1(question: "Question", prediction: "Prediction") -> float:
    from rollcall.score import score

    return score([question], [prediction], measures="F1", resamples=0)["F1"].value or 0.0
