"""How large everything is: `tiny` runs everything on a CPU in minutes, `small` gives figures on one GPU."""

from typing import Literal, NamedTuple

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
_PUBLISHED = "completion.use=false"

TINY = TableSizes(
    entities=500,
    k=6,
    other_k=6,
    recipes={
        "qampari": [
            _FAST,
            "evidence.threshold=own",
            _PUBLISHED,
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
        "qampari": [_PUBLISHED],
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
