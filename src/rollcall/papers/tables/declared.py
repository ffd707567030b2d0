"""What stands in the tables: their rows, the trainings that make them, and the questions that are asked.

- `SIZES`: how large everything is: `tiny` runs on a CPU in minutes, `small` gives figures on one GPU.
- `TABLES`: the rows of each table, in order, and the measures that judge them.
- `trainings`: what is trained, the most important first, so that a short time is used for what matters most.
- `askings`: the runs of a training; each is a row.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

# How large everything is: `tiny` runs everything on a CPU in minutes, `small` gives figures on one GPU.

Base = Literal["encoder", "generator"]


class TableSizes(NamedTuple):
    """Sizes of data, and options of trainings."""

    entities: int
    """The size of a world."""
    k: int
    """Passages for each question of the set that is asked."""
    other_k: int
    """Passages for each question of the other sets."""
    recipes: dict[str, list[str]]
    """For each kind of set, the changes to its recipe."""
    options: dict[str, dict[str, object]]
    """For each trainable system, its options; those of `*` are for all."""
    limit: int
    """Questions of the trainings on few and on many clusters."""
    parts: str
    """The models of `rollcall`."""
    rounds: int
    """Of reading, verifying and retrieving again."""
    jobs: int | None
    """The number of processes that make the data."""

    def training(self, system: str, minutes: float | None) -> dict[str, object]:
        """The options of a training; a limit of minutes for all takes the place of steps."""
        options = {**self.options["*"], **self.options.get(system, {})}
        if minutes is None:
            return options
        return {**{name: value for name, value in options.items() if name != "steps"}, "minutes": minutes}


RECIPES = {"qampari": "qampari", "romqa": "romqa", "single": "graphquestions"}
_SINGLE = [
    "templates.max_edges=1",
    'templates.quotas={"function": {"none": 1}, "answers": {"1": 1}}',
    "evidence.use=true",
    "wording.sentences=1",
    "wording.variants=1",
    "split.shares={train: 2, dev: 1, test: 1}",
]
_FAST = "evidence.verifier=contrast"

TINY = TableSizes(
    entities=500,
    k=6,
    other_k=6,
    recipes={
        "qampari": [
            _FAST,
            "evidence.threshold=own",
            "answers.least=3",
            "answers.validated=0.5",
            "simple.per_relation=6",
            "intersection.per_pair=2",
            "composition.per_pair=2",
            "tables.use=false",
            "split.quotas={simple: 16, intersection: 12, composition: 12}",
            "split.per_relation=4",
        ],
        "romqa": [_FAST, "clusters.clusters=16", "clusters.candidates=10", "clusters.most_positive=5"],
        "single": [*_SINGLE, _FAST, "templates.queries=40"],
    },
    options={
        "*": {"epochs": 1, "learning_rate": 1e-3, "batch": 16, "evaluate": 1000},
        "pig": {"input_tokens": 96, "output_tokens": 12, "dev_questions": 6},
        "fid": {"input_tokens": 64, "output_tokens": 16, "passages": 4, "dev_questions": 6},
        "seq2seq": {"input_tokens": 160, "output_tokens": 16, "passages": 2, "dev_questions": 6},
        "closed-book": {"output_tokens": 16, "dev_questions": 6},
        "classifier": {"length": 64},
        "mention-scorer": {"length": 96},
        "candidate-scorer": {"length": 96, "negatives": 8},
        "extractive": {"length": 96, "negatives": 4},
        "dpr": {"length": 64},
    },
    limit=10,
    parts="mention-scorer+pig",
    rounds=2,
    jobs=1,
)

_AT_THE_END = 1_000_000
"""Steps between evaluations of what takes longer to evaluate than to learn."""

_GENERATOR: dict[str, object] = {
    "learning_rate": 1e-4,
    "tokens": 32768,  # several at a time share a GPU: nine with 65,536 each did not fit one of 139 GiB
    "dev_questions": 50,
    "evaluate": _AT_THE_END,
}

SMALL = TableSizes(
    entities=3000,
    k=100,
    other_k=20,
    recipes={
        "qampari": [],
        "romqa": ["clusters.clusters=400", "clusters.candidates=40", "clusters.most_positive=20"],
        "single": [*_SINGLE, "templates.queries=1200"],
    },
    options={
        "*": {"evaluate": 200, "tokens": 131072},
        "dpr": {"steps": 300},
        "mention-scorer": {"steps": 600},
        "candidate-scorer": {"steps": 500, "evaluate": _AT_THE_END},
        "extractive": {"steps": 600},
        "classifier": {"steps": 300, "evaluate": 100},
        "pig": {**_GENERATOR, "steps": 400, "batch": 64, "floor": 0.3, "compile": True},
        "fid": {**_GENERATOR, "steps": 480, "batch": 8, "passages": 20, "output_tokens": 128},
        "seq2seq": {**_GENERATOR, "steps": 150, "passages": 20, "output_tokens": 128},
        "closed-book": {**_GENERATOR, "steps": 150, "output_tokens": 128},
    },
    limit=150,
    parts="mention-scorer+candidate-scorer+pig",
    rounds=3,
    jobs=None,
)

SIZES = {"tiny": TINY, "small": SMALL}


ORACLE = "oracle passages"
CUTS = (10, 25, 50, 100, 200)
QAMPARI = ("R", "P", "F1", "R>=0.8", "F1>=0.5")
OPEN = ("F1", "min(F1)", "P@10", "min(P@10)")


class PaperTable(NamedTuple):
    """A table of a paper."""

    key: str
    title: str
    set: Literal["qampari", "romqa", "single"]
    measures: tuple[str, ...]
    main: str
    """The measure whose differences are tested."""
    rows: tuple[tuple[str, str], ...]
    """The name of each row's run, and what it is called."""
    split: str = "test"
    candidates: bool = False
    """Whether answers are judged among the candidates of the closed setting."""


_MIXES = {"qo": "this set only", "nqo": "single answers only", "mt": "both"}


def _papers(mixes: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    return tuple(
        (f"{system}-{retriever}-{mix}", f"{system}, {retriever}, {_MIXES[mix]}")
        for system in ("fid", "pig")
        for retriever in ("bm25", "dpr")
        for mix in mixes
    )


_OURS = (
    ("mentions", "mentions"),
    ("mentions-learned", "mentions, learned"),
    ("mentions-dpr", "mentions, dpr, not tuned"),
    ("mentions-verified", "mentions, verified"),
    ("mentions-rounds", "mentions, verified and retrieved again"),
    ("extractive", "extractive"),
    ("mention-scorer", "mention-scorer"),
    ("candidate-scorer", "candidate-scorer"),
    ("rollcall-packaged", "rollcall, as packaged"),
    ("rollcall-packaged-dpr", "rollcall, as packaged, dpr"),
    ("rollcall", "rollcall, trained here"),
)
_LLM = (
    ("llm-closed-book", "llm, closed book"),
    ("llm-passages", "llm, 15 passages"),
    ("llm-each", "llm, each passage"),
)
_WITH_ORACLE = (
    *(f"{system}-bm25-{mix}" for system in ("fid", "pig") for mix in ("qo", "mt")),
    *("mentions", "extractive", "mention-scorer", "candidate-scorer", "rollcall"),
)

TABLES = (
    PaperTable(
        "qampari-3",
        "QAMPARI, Table 3: retrieval",
        "qampari",
        tuple(f"{name}@{cut}" for name in ("ARecall", "ERecall") for cut in CUTS),
        "ARecall@100",
        (
            ("bm25", "bm25"),
            ("dense", "dense, not trained"),
            ("dpr", "dpr, trained"),
            ("hybrid", "bm25 and dpr"),
            ("learned", "learned, as packaged"),
        ),
    ),
    PaperTable(
        "qampari-4",
        "QAMPARI, Table 4: answers",
        "qampari",
        QAMPARI,
        "F1",
        (*_papers(("nqo", "qo", "mt")), ("closed-book", "closed-book"), *_LLM, *_OURS),
    ),
    PaperTable(
        "qampari-oracle",
        "QAMPARI, answers from oracle passages",
        "qampari",
        QAMPARI,
        "F1",
        tuple((f"{name}-oracle", f"{name}, {ORACLE}") for name in _WITH_ORACLE),
    ),
    PaperTable(
        "qampari-9",
        "QAMPARI, Table 9: the split dev",
        "qampari",
        QAMPARI,
        "F1",
        (
            *_papers(("qo", "mt")),
            ("closed-book", "closed-book"),
            *((f"{system}-bm25-mt-oracle", f"{system}, both, {ORACLE}") for system in ("fid", "pig")),
        ),
        "dev",
    ),
    PaperTable(
        "romqa-4",
        "RoMQA, Table 4: the closed setting",
        "romqa",
        ("F1", "min(F1)", "acc", "min(acc)"),
        "F1",
        (
            ("all-candidates", "all candidates"),
            ("llm-closed", "llm, no examples"),
            ("llm-closed-shots", "llm, 8 examples"),
            ("classifier-none", "classifier"),
            ("classifier-retrieved", "classifier, retrieved evidence"),
            ("classifier-gold", "classifier, gold evidence"),
        ),
        candidates=True,
    ),
    PaperTable(
        "romqa-5",
        "RoMQA, Table 5: the open setting",
        "romqa",
        OPEN,
        "F1",
        (
            ("llm-open", "llm, no examples"),
            ("llm-open-shots", "llm, 8 examples"),
            ("seq2seq-closed", "seq2seq"),
            ("seq2seq", "seq2seq, retrieved passages"),
            ("mentions-romqa", "mentions"),
        ),
    ),
    PaperTable(
        "romqa-6-open",
        "RoMQA, Table 6: related questions in training, open setting",
        "romqa",
        OPEN,
        "min(P@10)",
        (("seq2seq-many", "seq2seq, many clusters"), ("seq2seq-few", "seq2seq, few clusters")),
    ),
    PaperTable(
        "romqa-6-closed",
        "RoMQA, Table 6: related questions in training, closed setting",
        "romqa",
        ("F1", "min(F1)"),
        "min(F1)",
        (("classifier-many", "classifier, many clusters"), ("classifier-few", "classifier, few clusters")),
        candidates=True,
    ),
)
BY_KIND = ("fid-bm25-mt", "pig-bm25-mt", "mentions", "mention-scorer", "rollcall")
"""The rows of QAMPARI's Table 7."""
NAMED = (("names-single", "one name"), ("names-graph", "the graph's names"), ("names-pages", "pages' names"))
"""The rows of the tables of "What's in a Name?": how each was trained."""


# What is trained, and what is asked with it: every row that has a network.

PARTS = "rollcall-parts"
DPR = "dpr"
RETRIEVERS = ("bm25", "dpr")
"""Readers learn with the passages of the first, and read those of either."""
MIXES = {"qo": ("qampari",), "nqo": ("single",), "mt": ("qampari", "single")}
"""Which sets are learned: the one that is asked (QAMPARI only), single answers only, or both (multi-task)."""


class RowTraining(NamedTuple):
    """One system that is trained."""

    name: str
    system: str
    base: Base
    examples: tuple[str, ...]
    options: Mapping[str, object] = MappingProxyType({})
    preset: str | None = None
    clusters: Literal["few", "many"] | None = None


class RowAsking(NamedTuple):
    """One run of a trained system; its name is that of a row."""

    name: str
    reader: str
    model: str
    """The folder below `models`."""
    examples: str
    split: str = "test"
    options: Mapping[str, object] = MappingProxyType({})


def trainings(sizes: TableSizes) -> Iterator[RowTraining]:
    """Everything that is trained; the parts of `rollcall` are rows of their own, too."""
    yield RowTraining(DPR, "dpr", "encoder", ("qampari-bm25",))
    yield RowTraining(PARTS, "rollcall", "encoder", ("qampari-bm25",))
    parts = sizes.parts.split("+")
    for system in ("mention-scorer", "candidate-scorer"):
        if system not in parts:
            yield RowTraining(system, system, "encoder", ("qampari-bm25",))
    for system in ("pig", "fid"):
        for mix, sets in sorted(MIXES.items(), key=lambda item: item[0] != "mt"):
            name = f"{system}-bm25-{mix}"
            if name != "pig-bm25-qo" or system not in parts:
                yield RowTraining(name, system, "generator", tuple(f"{kind}-bm25" for kind in sets))
    yield RowTraining("closed-book", "closed-book", "generator", ("qampari-bm25",))
    yield RowTraining("extractive", "extractive", "encoder", ("qampari-bm25",), {"number": "set"})
    for evidence in ("none", "retrieved", "gold"):
        yield RowTraining(
            f"classifier-{evidence}", "classifier", "encoder", ("romqa-bm25",), {"evidence": evidence}
        )
    yield RowTraining("seq2seq-closed", "closed-book", "generator", ("romqa-bm25",))
    yield RowTraining("seq2seq", "seq2seq", "generator", ("romqa-bm25",))
    for clusters in ("many", "few"):
        yield RowTraining(f"seq2seq-{clusters}", "seq2seq", "generator", ("romqa-bm25",), clusters=clusters)
        yield RowTraining(
            f"classifier-{clusters}", "classifier", "encoder", ("romqa-bm25",), {"evidence": "retrieved"},
            clusters=clusters,
        )  # fmt: skip
    for name, folder, answers in _NAMES:
        yield RowTraining(name, "extractive", "encoder", (folder,), {"answers": answers, "number": "one"})


_NAMES = (
    ("names-single", "single-bm25", "single"),
    ("names-graph", "single-bm25", "expanded"),
    ("names-pages", "names-bm25", "expanded"),
)


def askings(training: RowTraining, sizes: TableSizes) -> Iterator[RowAsking]:
    """The runs of a training; the systems of QAMPARI's Table 9 are asked on dev, too."""
    name, system = training.name, training.system
    if name == PARTS:
        for part in sizes.parts.split("+"):
            model = f"{PARTS}/parts/{part}"
            yield from _qampari("pig-bm25-qo" if part == "pig" else part, part, model)
    elif system in ("mention-scorer", "candidate-scorer", "pig", "fid", "closed-book", "extractive"):
        if "romqa-bm25" in training.examples:
            yield RowAsking(name, system, name, "romqa-bm25")
        elif name.startswith("names"):
            yield RowAsking(name, system, name, "single-bm25")
        else:
            yield from _qampari(name, system, name)
    elif system in ("classifier", "seq2seq"):
        yield RowAsking(name, system, name, "romqa-bm25")


def needs_dpr(training: RowTraining, sizes: TableSizes) -> bool:
    """Whether what is trained reads passages of the trained retriever."""
    return any(asking.examples == f"qampari-{DPR}" for asking in askings(training, sizes))


def _qampari(name: str, system: str, model: str) -> Iterator[RowAsking]:
    for retriever in RETRIEVERS if system in ("pig", "fid") else ("bm25",):
        row, examples = name.replace("bm25", retriever), f"qampari-{retriever}"
        yield RowAsking(row, system, model, examples)
        if system in ("pig", "fid", "closed-book") and not name.endswith("-nqo"):
            yield RowAsking(row, system, model, examples, "dev")
    if system != "closed-book" and not name.endswith("-nqo"):
        yield RowAsking(f"{name}-oracle", system, model, "qampari-oracle")
        if name.endswith("-mt"):
            yield RowAsking(f"{name}-oracle", system, model, "qampari-oracle", "dev")
