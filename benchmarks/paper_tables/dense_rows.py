"""What dense retrievers find, and the questions to ask with the passages that the trained one finds.

Only ids are kept of what is found for Table 3; `show` has the corpus, and its texts.
"""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from paper_tables.dense_search import DenseSearch, read_passages
from paper_tables.place import DEPTH, Data, Place
from rollcall._core.files import replacing_part
from rollcall.questions.run import Passage, Prediction, Run
from rollcall.systems.train.example_folder import ExampleFolder, with_passages
from rollcall.systems.train.training_example import (
    TrainingExample,
    example_file,
    read_examples,
    write_examples,
)


def dense_row(place: Place, data: Data, model: str) -> None:
    """The row of an encoder that was not trained here."""
    _retrieved(place, DenseSearch(model, read_passages(place.passages(data.test))), "dense")


def dpr_rows(place: Place, data: Data, model: str) -> None:
    """The row of the trained retriever, and the questions to ask with what it finds."""
    for number in sorted({data.learn[0], data.test}):
        search = DenseSearch(model, read_passages(place.passages(number)))
        if number == data.test:
            _retrieved(place, search, "dpr")
            _other_passages(place.asked("qampari-bm25"), place.asked("qampari-dpr"), search)
        if number == data.learn[0]:
            dev = place.asked("qampari-bm25", "dev"), place.asked("qampari-dpr", "dev")
            _other_passages(*dev, search)


def _retrieved(place: Place, search: DenseSearch, name: str) -> None:
    examples = read_examples(example_file(place.asked("qampari-bm25"), "train"))
    found = search.retrieve([one.asked for one in examples], DEPTH)
    run = Run(
        Prediction(one.id, retrieved=[Passage(each.id, score=each.score) for each in these])
        for one, these in zip(examples, found, strict=True)
    )
    place.runs.mkdir(parents=True, exist_ok=True)
    run.save(place.run(name))


def _other_passages(source: Path, out: Path, search: DenseSearch) -> None:
    """The training examples of a folder with the passages that a search finds, in another folder."""
    if out.is_dir():
        return
    about = ExampleFolder(source).about()
    with replacing_part(out) as partial:
        partial.mkdir(parents=True)
        for part in ("train", "dev"):
            if example_file(source, part).is_file():
                examples = read_examples(example_file(source, part))
                write_examples(example_file(partial, part), _searched(examples, search, about.k))
        described = msgspec.structs.replace(about, retriever={"name": "dpr"}, graph="")
        (partial / "exercises.json").write_bytes(msgspec.json.encode(described))


def _searched(examples: Sequence[TrainingExample], search: DenseSearch, k: int) -> list[TrainingExample]:
    if not examples:
        return []
    found = search.retrieve([one.asked for one in examples], k)
    return [with_passages(one, these) for one, these in zip(examples, found, strict=True)]
