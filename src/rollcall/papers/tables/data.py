"""The data of the tables: worlds with their question sets, or the sets of a user, and their examples.

- `WorkFolder`: everything that is made. `TableData`: what is known of the data.
- `worlds`, `of_user`: graphs, corpora and sets. Worlds of different seeds have no person, work or place in
  common, so a system that is tested on another world than it was trained on can know nothing by heart.
- `without_seen`: the data without questions that are worded as one that was learned.
- `prepare`: training examples of every set for every retriever, and the passages to encode.
- `with_one_name`, `with_names`, `page_names`: the gold of "What's in a Name?".
- `pack_prepared`, `pack` and their opposites: what is carried between machines.

A folder that exists is not made again.
"""

import gzip
import io
import lzma
import tarfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

import msgspec

from rollcall._core.errors import RollcallError
from rollcall.build.make import build
from rollcall.corpus import make_corpus
from rollcall.graph import make_graph
from rollcall.papers.tables.declared import PARTS, RECIPES, SIZES, TableSizes
from rollcall.questions import Question, QuestionSet, read_questions
from rollcall.questions.question_set import encode_lines
from rollcall.systems import Context
from rollcall.systems.train.verb import train
from rollcall.tables import files
from rollcall.tables.corpus import TextAliases
from rollcall.tables.table import file_name
from rollcall.world.write import write_world

DEPTH = 200
"""The greatest number of passages for a question: of retrieval by itself, and of the evidence."""


class SourceFolders(msgspec.Struct, frozen=True):
    """A graph, its corpus, and the question sets that were made from them, as folders."""

    graph: str
    corpus: str
    sets: dict[str, str]
    """By kind: qampari, romqa and single."""


class TableData(msgspec.Struct, frozen=True):
    """What is learned from and what is tested on; the same source, or others without an entity in common."""

    profile: str
    """The name of the sizes."""
    name: str
    """What the data is called in the tables."""
    sources: list[SourceFolders]
    learn: list[int]
    """The sources to learn from, their splits train and dev."""
    test: int
    """The source whose split test is asked."""
    k: int
    asked: int | None = None
    """About how many test and dev questions are asked, if not all."""


class WorkFolder:
    """The working folder.

    `prepared` is all that learning needs, and `learned` with the parts of `rollcall` is all that scoring
    needs of it, so that the two can be on different machines.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.made = folder / "made"
        self.prepared = folder / "prepared"
        self.examples = self.prepared / "exercises"
        self.models = folder / "models"
        self.learned = folder / "learned"
        self.runs = self.learned / "runs"
        self.speeds = self.learned / "speeds"
        self.scores = self.models / "rollcall-parts" / "scores"
        self.shown = folder / "shown"

    @property
    def data(self) -> TableData:
        file = self.prepared / "data.json"
        if not file.is_file():
            raise RollcallError(
                f"{file}: no such file; prepare it first: systems_tables.py prepare {self.folder}"
            )
        return msgspec.json.decode(file.read_bytes(), type=TableData)

    def save_data(self, data: TableData) -> None:
        self.prepared.mkdir(parents=True, exist_ok=True)
        (self.prepared / "data.json").write_bytes(msgspec.json.encode(data))

    def passages(self, source: int) -> Path:
        """All passages of a source's corpus, for encoding."""
        return self.prepared / f"passages.{source}.jsonl.xz"

    def learning(self, name: str) -> list[Path]:
        """The folders of training examples of this name, one for each source to learn from."""
        return [self.examples / f"{name}.{source}" for source in self.data.learn]

    def asked(self, name: str, split: str = "test") -> Path:
        """The folder of training examples with the questions to ask."""
        return self.examples / f"{name}-{split}"

    def run(self, row: str, split: str = "test") -> Path:
        """The answers of a row."""
        return self.runs / f"{row}.{split}.jsonl"


def worlds(work: WorkFolder, profile: str, number: int, seed: int, entities: int | None) -> TableData:
    """Worlds to learn from, and one more to test on."""
    sizes = SIZES[profile]
    size = entities or sizes.entities
    sources = [
        _world(work.made / f"world-{world_seed}", size, world_seed, sizes)
        for world_seed in range(seed, seed + number + 1)
    ]
    about = f"worlds of {size:,} entities, tested on another than learned from"
    return TableData(profile, about, sources, list(range(number)), number, sizes.k)


def of_user(
    work: WorkFolder, profile: str, sets: Mapping[str, str | None], graph: str, corpus: str
) -> TableData:
    """A graph and a corpus of a user; sets that are not given are built from them."""
    sizes = SIZES[profile]
    folders = {
        kind: sets.get(kind) or _built(kind, Path(graph), Path(corpus), work.made / kind, sizes)
        for kind in RECIPES
    }
    source = SourceFolders(graph, corpus, folders)
    return TableData(profile, Path(folders["qampari"]).name, [source], [0], 0, sizes.k)


def _world(folder: Path, entities: int, seed: int, sizes: TableSizes) -> SourceFolders:
    graph, corpus, dump = folder / "graph", folder / "corpus", folder / "dump"
    if not dump.is_dir():
        write_world(dump, entities, seed, jobs=sizes.jobs)
    if not graph.is_dir():
        make_graph([dump / "wikidata.json.gz"], graph, jobs=sizes.jobs)
    if not corpus.is_dir():
        make_corpus([dump / "pages.xml.bz2"], corpus, graph=graph, jobs=sizes.jobs)
    sets = {kind: _built(kind, graph, corpus, folder / kind, sizes) for kind in RECIPES}
    return SourceFolders(str(graph), str(corpus), sets)


def _built(kind: str, graph: Path, corpus: Path, out: Path, sizes: TableSizes) -> str:
    if not (out / "manifest.json").is_file():
        changes = sizes.recipes[kind]
        build(RECIPES[kind], graph=graph, corpus=corpus, out=out, changes=changes, jobs=sizes.jobs)
    return str(out)


def questions_of(folder: str, splits: Sequence[str] | None = None) -> list[Question]:
    """The questions of a set, or of some splits."""
    return [
        question for question in read_questions(Path(folder)) if splits is None or question.split in splits
    ]


# Questions to ask whose wordings were not learned: what two worlds share (occupations, genres) may be asked
# about in the same words, and a trained system refuses a question that it has seen.


def without_seen(work: WorkFolder, data: TableData, asked: int | None = None) -> TableData:
    """The data without dev questions worded as a training question, or test questions as either.

    Of the test questions about `asked` are kept, evenly spread over each set, and of a cluster all or none;
    then those that were seen are left out.
    """
    train_wordings, dev_wordings = (_wordings(data, split) for split in ("train", "dev"))
    sources = [
        _unseen(source, train_wordings, dev_wordings, work.made / f"unseen-{number}", asked)
        for number, source in enumerate(data.sources)
    ]
    return msgspec.structs.replace(data, sources=sources, asked=asked)


def _wordings(data: TableData, split: str) -> set[str]:
    """What is learned from, or what decides between models and fits the trees of `rollcall`."""
    return {
        question.question
        for number in data.learn
        for folder in data.sources[number].sets.values()
        for question in questions_of(folder, (split,))
    }


def _unseen(
    source: SourceFolders, train_wordings: set[str], dev_wordings: set[str], out: Path, asked: int | None
) -> SourceFolders:
    sets = {}
    for kind, folder in source.sets.items():
        questions = questions_of(folder)
        unseen = [
            question
            for question in questions
            if question.split == "train" or question.question not in train_wordings
        ]
        tested = spread([question for question in unseen if question.split == "test"], asked)
        kept = [question for question in unseen if question.split != "test"]
        kept += [question for question in tested if question.question not in dev_wordings]
        sets[kind] = folder
        if len(kept) < len(questions):
            sets[kind] = str(out / kind)
            QuestionSet(kept).save(out / kind)
    return msgspec.structs.replace(source, sets=sets)


def spread(questions: Sequence[Question], number: int | None) -> list[Question]:
    """About so many questions, evenly spread; of a cluster all or none. Without a number, all."""
    if number is None or number >= len(questions):
        return [*questions]
    groups: dict[str, list[Question]] = {}
    for question in questions:
        groups.setdefault(question.cluster or question.id, []).append(question)
    clusters = list(groups.values())
    kept = max(number * len(clusters) // len(questions), 1)
    return [question for index in range(kept) for question in clusters[index * len(clusters) // kept]]


# The first stage: all that learning reads.


def prepare(work: WorkFolder, data: TableData) -> None:
    """Make all training examples and the files of passages."""
    sizes = SIZES[data.profile]
    work.save_data(data)
    depth = {"qampari": sizes.k, "romqa": sizes.other_k, "single": sizes.other_k}
    for number in data.learn:
        source = data.sources[number]
        for kind, k in depth.items():
            _examples(work.examples / f"{kind}-bm25.{number}", source, source.sets[kind], "bm25", k)
        renamed = with_names(questions_of(source.sets["single"]), page_names(source.corpus))
        _examples(work.examples / f"names-bm25.{number}", source, renamed, "bm25", sizes.other_k)
    tested = data.sources[data.test]
    for kind, k in depth.items():
        _examples(work.asked(f"{kind}-bm25"), tested, tested.sets[kind], "bm25", k, "test")
    _examples(work.asked("qampari-oracle"), tested, tested.sets["qampari"], "oracle", DEPTH, "test")
    learned = data.sources[data.learn[0]]
    dev = spread(questions_of(learned.sets["qampari"], ("dev",)), data.asked)
    for retriever, k in (("bm25", sizes.k), ("oracle", DEPTH)):
        _examples(work.asked(f"qampari-{retriever}", "dev"), learned, dev, retriever, k, "dev")
    for number in sorted({*data.learn, data.test}):
        _write_passages(work.passages(number), data.sources[number])


def _examples(
    out: Path,
    source: SourceFolders,
    questions: str | Sequence[Question],
    retriever: str,
    k: int,
    asked: str | None = None,
) -> None:
    """Training examples to learn from, or of one split to ask."""
    if out.is_dir():
        return
    out.parent.mkdir(parents=True, exist_ok=True)
    train(
        "mention-scorer",
        questions,
        out=out,
        corpus=source.corpus,
        graph=source.graph,
        retriever=retriever,
        k=k,
        split=asked or "train",
        dev=None if asked else "dev",
        prepare=True,
    )


def _write_passages(out: Path, source: SourceFolders) -> None:
    """All passages of a corpus, in one compressed file."""
    if out.is_file():
        return
    partial = out.with_suffix(".partial")
    with Context(corpus=source.corpus) as context, lzma.open(partial, "wb", preset=1) as stream:
        store = context.store
        stream.writelines(encode_lines(map(store.passage, range(len(store)))))
    partial.rename(out)


# The gold of "What's in a Name?": the same single answers with one name each, or with those of a source. The
# names of the graph are to the set what Freebase's are in the paper, and those of the pages (titles,
# redirects, anchors of links) what Wikipedia's are.


def with_one_name(questions: Sequence[Question]) -> list[Question]:
    """The questions with nothing but the labels of their answers."""
    return with_names(questions, {})


def with_names(questions: Sequence[Question], names: Mapping[str, Sequence[str]]) -> list[Question]:
    """The questions whose answers have these names, by their ids."""
    return [
        msgspec.structs.replace(
            question,
            answers=[
                msgspec.structs.replace(answer, aliases=[*names.get(answer.id or "", ())])
                for answer in question.answers
            ],
        )
        for question in questions
    ]


def page_names(corpus: str) -> dict[str, list[str]]:
    """The names that pages give to entities."""
    table = files.read(TextAliases, Path(corpus) / file_name(TextAliases), ("entity", "text"))
    names: dict[str, set[str]] = {}
    for entity, text in zip(table["entity"].to_pylist(), table["text"].to_pylist(), strict=True):
        names.setdefault(str(entity), set()).add(str(text))
    return {entity: sorted(texts) for entity, texts in names.items()}


# What is carried between machines: prepared data in one file, and results in parts, without weights.
#
# Examples are compressed one by one, and their passages come again and again: in one stream with a long
# memory they take a quarter of the space. A transfer may limit the size of a file, so results are cut into
# parts.

NAME = "learned.tar.xz"
_HEAVY = (".safetensors", ".pt")
_PART = 15 << 20
_MEMORY = 1 << 29
"""Bytes in which repetitions are found."""
_GZIP = ".gz"
_DAMAGED = (OSError, EOFError, lzma.LZMAError, tarfile.TarError)


def pack(work: WorkFolder, out: Path) -> list[Path]:
    """Write the results as parts of at most 15 MiB."""
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w:xz") as archive:
        for folder in (work.learned, work.models / PARTS):
            for file in sorted(folder.rglob("*")):
                if file.is_file() and file.suffix not in _HEAVY:
                    archive.add(file, file.relative_to(work.folder).as_posix())
    whole = content.getvalue()
    out.mkdir(parents=True, exist_ok=True)
    for old in out.glob(f"{NAME}.*"):
        old.unlink()
    files = []
    for number, start in enumerate(range(0, len(whole), _PART)):
        files.append(out / f"{NAME}.{number:02d}")
        files[-1].write_bytes(whole[start : start + _PART])
    return files


def unpack(work: WorkFolder, source: Path) -> None:
    """Put packed results where `learn` would have left them."""
    parts = sorted(source.glob(f"{NAME}.*"))
    if not parts:
        raise RollcallError(f"{source}: has no {NAME}.00; name the folder that --pack wrote")
    whole = b"".join(part.read_bytes() for part in parts)
    try:
        with tarfile.open(fileobj=io.BytesIO(whole), mode="r:xz") as archive:
            archive.extractall(work.folder, filter="data")
    except _DAMAGED as error:
        raise RollcallError(f"{source}: is not all that --pack wrote ({error})") from None


def pack_prepared(work: WorkFolder, file: Path) -> None:
    """Write what `learn` needs, and what it has learned already, as one file."""
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 2, "dict_size": _MEMORY}]
    paths = [*work.prepared.rglob("*"), *work.learned.rglob("*")]
    file.parent.mkdir(parents=True, exist_ok=True)
    with lzma.open(file, "wb", filters=filters) as stream, tarfile.open(fileobj=stream, mode="w|") as archive:
        for path in sorted(path for path in paths if path.is_file()):
            content = path.read_bytes()
            about = archive.gettarinfo(path, path.relative_to(work.folder).as_posix())
            if path.suffix == _GZIP:
                content = gzip.decompress(content)
            about.size = len(content)
            archive.addfile(about, io.BytesIO(content))


def unpack_prepared(work: WorkFolder, file: Path) -> None:
    """Put packed data where `prepare` would have left it; nothing that is there is replaced."""
    try:
        with lzma.open(file) as stream, tarfile.open(fileobj=stream, mode="r|") as archive:
            for about in archive:
                _put(work.folder / about.name, archive.extractfile(about))
    except _DAMAGED as error:
        raise RollcallError(f"{file}: is not a whole file that --carry wrote ({error})") from None


def _put(target: Path, content: IO[bytes] | None) -> None:
    if content is None or target.exists():
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    whole = content.read()
    if target.suffix == _GZIP:
        whole = gzip.compress(whole, compresslevel=1, mtime=0)
    target.write_bytes(whole)
