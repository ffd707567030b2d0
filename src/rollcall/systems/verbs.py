"""The functions `run` and `retrieve`: a system answers a question set, from a script or the command line.

Every part may be given by name, as a class, or as an object. Parts are chosen, and their options and needs
checked, before anything is loaded. With `out`, a run is written line by line, and an interrupted one is
resumed.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from rollcall._core.errors import RollcallError
from rollcall._core.options import chosen_options, named_values
from rollcall.questions.given import Questions
from rollcall.questions.record import Question
from rollcall.questions.run import Prediction, Run
from rollcall.systems.check import CHECKS
from rollcall.systems.check.verified import ReaderCheck, Verified, VerifiedOptions, tuned_gain
from rollcall.systems.context import Context
from rollcall.systems.interfaces import AnswerCheck, Reader
from rollcall.systems.opening import (
    Asking,
    GivenReader,
    GivenRetriever,
    UnopenedPart,
    choose,
    choose_questions,
    choose_retrievers,
    opened_check,
    opened_reader,
    opened_retriever,
    share_options,
)
from rollcall.systems.options import RunOptions
from rollcall.systems.read import READERS
from rollcall.systems.running import Running
from rollcall.tables.engine import Engine

if TYPE_CHECKING:
    from rollcall.corpus import Corpus


def run(
    questions: Questions,
    reader: GivenReader = "mentions",
    settings: RunOptions | None = None,
    **keywords: Any,
) -> Run:
    """Answer questions with a system.

    `questions` are a set, a path, records, dicts or a table. `reader` and `retriever` are names (`mentions`,
    `bm25+dense`, `my_module:MyReader`), classes or objects; `options` are those of all parts, by name. All
    options of the run are those of `RunOptions`, given as keywords, as a record, or as both. A corpus and a
    graph are folders or opened objects. With `out` an interrupted run is resumed, and a file with another
    system's answers is refused.
    """
    settings = chosen_options(RunOptions, settings, keywords, "run")
    retriever, check, k = settings.retriever, settings.check, settings.k
    keep_passages, out = settings.keep_passages, settings.out
    asking = choose_questions(questions, settings.split, settings.limit)
    reading = choose(READERS, reader)
    searching = choose_retrievers(retriever) if retriever is not None else []
    checking = [choose(CHECKS, check)] if check is not None else []
    verifying = [UnopenedPart("verification", "verified", Verified)] if checking else []
    share_options(named_values(settings.options), [*searching, reading, *checking, *verifying])
    for part in checking:
        _check_reads(reading, part)
    context = Context(
        asking.questions,
        corpus=settings.corpus,
        graph=settings.graph,
        retriever=(lambda context: opened_retriever(searching, context)) if searching else None,
        client=settings.client,
        model=settings.model,
        cache=Path(f"{out}.cache") if out is not None else None,
        index=settings.index,
        k=k,
        progress=settings.progress,
    )
    needs_passages = bool(checking) or keep_passages or "passages" in reading.needs
    can_search = all(context.has(need) for part in searching for need in part.needs)
    searches = needs_passages or (bool(searching) and can_search and reading.takes_passages)
    for part in (reading, *checking, *(searching if searches else ())):
        part.check(context)
    with context:
        system = context.reader = opened_reader(reading, context)
        for part, verified in zip(checking, verifying, strict=True):
            others = _dev_questions(asking)
            system = _verified(system, opened_check(part, context), verified.options, context, others)
        running = Running(
            asking.chosen,
            context.retriever if searches else None,
            system,
            k=k,
            keep_passages=keep_passages,
            timed=settings.timed,
            covers=asking.covers,
            f1=_f1 if any(question.answers for question in asking.chosen) else None,
            remark=context.spent,
            show=settings.progress,
        )
        return running.run(out)


def retrieve(
    questions: Questions,
    retriever: GivenRetriever = "bm25",
    *,
    corpus: "Corpus | Path | str | None" = None,
    out: Path | str | None = None,
    split: str | Sequence[str] | None = None,
    limit: int | None = None,
    k: int = 200,
    texts: bool = True,
    index: Path | str | None = None,
    progress: bool | None = None,
    options: Mapping[str, object] | None = None,
    jobs: int | None = None,
    engine: Engine | str = "duckdb",
    master: str | None = None,
) -> Run:
    """Retrieve passages for questions; without `texts` only their ids and scores are kept.

    Indexes that are missing are made by `engine`: an open one, or a name from `rollcall plugins`, with
    `master` as the address of its cluster. `jobs` is the number of processes (default: one for each core);
    the indexes are the same for any number. With more than one, a script must make this call under
    `if __name__ == "__main__":`. The other arguments are those of `run`.
    """
    asking = choose_questions(questions, split, limit)
    searching = choose_retrievers(retriever)
    share_options(options or {}, searching)
    with Context(
        asking.questions,
        corpus=corpus,
        index=index,
        k=k,
        progress=progress,
        engine=engine,
        jobs=jobs,
        master=master,
    ) as context:
        opened = opened_retriever(searching, context)
        running = Running(asking.chosen, opened, None, k=k, texts=texts, covers=asking.covers, show=progress)
        return running.run(out)


def _check_reads(reading: UnopenedPart[Reader], checking: UnopenedPart[AnswerCheck]) -> None:
    """Refuse a reader that reads no passages as the judge of what passages support."""
    component = checking.component
    if isinstance(component, type) and issubclass(component, ReaderCheck) and not reading.takes_passages:
        raise RollcallError(
            f"{reading.label} reads no passages, so it cannot verify its answers by them: "
            "give --verify words or --verify model (check= in Python)"
        )


def _verified(
    reader: Reader,
    check: AnswerCheck,
    options: msgspec.Struct,
    context: Context,
    others: Sequence[Question],
) -> Verified:
    """The reader with its answers verified; when it stops is tuned if it is not given."""
    assert isinstance(options, VerifiedOptions)
    arguments = msgspec.structs.asdict(options)
    if options.gain is None:
        arguments["gain"] = 0.0
        if options.rounds > 1:
            trial = Verified(reader, context.retriever, check, **arguments)
            arguments["gain"] = tuned_gain(trial, context.retriever, others, context.k)
    return Verified(reader, context.retriever, check, **arguments)


def _dev_questions(asking: Asking) -> list[Question]:
    """Questions of the split dev with answers that are not asked."""
    chosen = {question.id for question in asking.chosen}
    return [
        question
        for question in asking.questions
        if question.split == "dev" and question.answers and question.id not in chosen
    ]


def _f1(question: Question, prediction: Prediction) -> float:
    from rollcall.score import score

    return score([question], [prediction], measures="F1", confidence=None)["F1"].value or 0.0
