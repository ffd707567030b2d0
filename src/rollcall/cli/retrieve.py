"""`rollcall retrieve`: the passages that a retriever finds for each question, as a run."""

from pathlib import Path
from typing import Annotated

import typer

from rollcall.cli import system_options as options
from rollcall.cli.outputs import writing
from rollcall.terminal import say


@writing("out", reads=["corpus"], asks=["questions"])
def retrieve(
    questions: options.Set,
    corpus: options.CorpusFolder,
    out: Annotated[Path, typer.Option(help="The run to write, or to go on with.")],
    retriever: options.Retriever = "bm25",
    k: Annotated[int, typer.Option(min=1, help="Passages a question.")] = 200,
    texts: Annotated[
        bool, typer.Option(help="Write titles and texts; ids alone are enough for ERecall.")
    ] = True,
    split: options.Split = None,
    limit: options.Limit = None,
    k1: options.K1 = 1.2,
    b: options.B = 0.75,
    encoder: options.Encoder = None,
    passage_encoder: options.PassageEncoder = None,
    pooling: options.Pooling = "auto",
    faiss: options.FaissIndex = "Flat",
    sample: options.Sample = None,
    index: options.Index = None,
) -> None:
    """Retrieve passages for every question; score with `--measures ARecall@200,ERecall@200`."""
    from rollcall.cli.asked_set import (
        chosen_questions,
        content_of,
        fingerprint,
        retriever_settings,
        scoring_command,
    )
    from rollcall.corpus import Corpus
    from rollcall.systems.catalogue import RetrieverOptions, open_retriever
    from rollcall.systems.retrieve.bare import Bare
    from rollcall.systems.running import Running

    every, chosen = chosen_questions(questions, split, limit)
    parameters = RetrieverOptions(k1, b, encoder, passage_encoder, pooling, faiss, sample, index)
    with Corpus.open(corpus) as opened:
        found = open_retriever(retriever, opened, every, parameters)
        settings = {
            "questions": fingerprint(chosen),
            "retriever": found.name,
            "k": k,
            "texts": texts,
            "corpus": content_of(corpus, "corpus.json"),
            **retriever_settings(parameters),
        }
        run = Running(chosen, found if texts else Bare(found), None, k=k, settings=settings).run(out)
    say(f"{out}: {len(run)} questions, up to {k} passages each by {found.name}")
    say(f"next: {scoring_command(questions, out, split, limit)} --measures ARecall@{k},ERecall@{k}")
