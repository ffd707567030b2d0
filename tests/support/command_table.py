"""Every command of `rollcall` on small inputs: the one table from which all of them are checked.

A check that holds for every command (the same bytes for every hash seed, a kill, a second writer, a damaged
input) goes through `COMMANDS`; `whole_way/test_commands.py` fails where a registered command has no row
here. A row is called with two folders: `inputs`, made once by `prepare` and never written to, and `out`, an
empty folder of the check's own. All that the row's command writes lies in `out`, under the names in `writes`.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

Arguments = Callable[[Path, Path], list[str]]


@dataclass(frozen=True)
class Command:
    """One way to call one command."""

    name: str
    """The command as it is registered."""
    arguments: Arguments
    """The words after `rollcall`, from the folder of inputs and the folder for outputs."""
    writes: tuple[str, ...] = ()
    """The files and folders that it leaves in the output folder; none where it only prints."""
    reads: tuple[str, ...] = ()
    """The files and folders that it reads from the input folder."""
    variant: str = ""
    """Tells several rows of one command apart."""
    keeps: tuple[str, ...] = ()
    """What it keeps in the output folder for the next call, as patterns; the bytes of that may differ."""
    jobs: str = ""
    """Its option for the number of processes, where there is one; `arguments` leaves it out."""
    older: tuple[str, ...] | None = None
    """Further words that make it write something else to the same place, with `INPUTS` for the folder of
    inputs; None where it would refuse to."""
    foreign: bool = False
    """Whether it takes a folder that holds other files too, and leaves those alone; otherwise it refuses."""
    grows: bool = False
    """Whether a killed call leaves what the next one goes on with; otherwise what was there before stands."""
    timed: bool = False
    """Whether it prints how long things took."""
    slow: bool = False
    """Whether it takes many seconds: then only the longer rounds of checks call it."""

    def __str__(self) -> str:
        return f"{self.name}-{self.variant}" if self.variant else self.name

    def words(self, inputs: Path, out: Path, jobs: int = 1, older: bool = False) -> list[str]:
        """The whole command line for so many processes; with `older`, of what is to be replaced later."""
        words = self.arguments(inputs, out)
        if self.jobs:
            words = [*words, self.jobs, str(jobs)]
        further = [word.replace("INPUTS", str(inputs)) for word in self.older or ()]
        return [*words, *further] if older else words


def prepare(folder: Path) -> None:
    """Add to a folder with `world`, `graph` and `corpus` everything else that the commands read."""
    import json
    import random

    from msgspec.structs import replace

    from rollcall.questions import Prediction, QuestionSet, Run
    from rollcall.questions.exporting import export
    from world_questions import question_set

    questions = question_set(folder, limit=24)
    questions.save(folder / "set")
    export(questions, "qampari", folder / "published.jsonl")
    newer = [replace(one, answers=one.answers[1:] if place % 3 else one.answers) for place, one in
             enumerate(questions.questions[2:])]  # fmt: skip
    QuestionSet([*newer, replace(questions.questions[0], id="new", question="And who else?")]).save(
        folder / "newer"
    )
    further = [replace(one, id=f"further-{one.id}") for one in questions.questions[:3]]
    export(further, "qampari", folder / "further.jsonl")
    chance = random.Random(1)
    for name in ("one", "two"):
        said = [
            Prediction(one.id, [answer.label for answer in one.answers if chance.random() < 0.7])
            for one in questions
        ]
        Run(said).save(folder / f"{name}.jsonl")
    triples = [
        {"text": piece.text, "subject": answer.label, "relation": "is told of", "object": one.question}
        for one in QuestionSet.open(folder / "set").questions[:8]
        for answer in one.answers
        for piece in answer.evidence
    ]
    documents = folder / "documents"
    documents.mkdir()
    for number in range(6):
        (documents / f"{number}.md").write_text(
            f"# Page {number}\n\nIt is the page of {number}. It is short.\n"
        )
    (documents / "table.txt").write_text("A table\n\nIt stands on four legs, as most of them do.\n")
    (folder / "triples.jsonl").write_text("".join(json.dumps(one) + "\n" for one in triples))


def _build(recipe: str, *changes: str) -> Arguments:
    def arguments(inputs: Path, out: Path) -> list[str]:
        words = ["build", recipe, "--graph", f"{inputs}/graph", "--corpus", f"{inputs}/corpus"]
        return [*words, "--out", f"{out}/set", *(word for change in changes for word in ("--set", change))]

    return arguments


def _export(format_: str, name: str) -> Arguments:
    force = ["--force"] if "." in name else []  # a killed export into a folder is completed without it

    def arguments(inputs: Path, out: Path) -> list[str]:
        return ["export", f"{inputs}/set", "--format", format_, "--out", f"{out}/{name}", *force]

    return arguments


_GRAPH_QUERY = "?x [director] ?y"
_GRAPH_QUESTION = "Which films have a director?"
_BUILT = ("set",)
_BUILD_WORK = ("set/.build",)

_EXPORT = Command("export", _export("jsonl", "exported"), ("exported",), ("set",), foreign=True)
_SCORE = Command(
    "score",
    lambda inputs, out: [
        *(
            "score",
            f"{inputs}/set",
            f"{inputs}/one.jsonl",
            "--resamples",
            "50",
            "--json",
            f"{out}/score.json",
        ),
        *("--latex", f"{out}/score.tex"),
    ],
    ("score.json", "score.tex"),
    ("set", "one.jsonl"),
    older=("--confidence", "0.9"),
)

COMMANDS = (
    Command(
        "world",
        lambda inputs, out: ["world", f"{out}/world", "--entities", "500"],
        ("world",),
        jobs="--jobs",
        older=("--seed", "2"),
    ),
    Command(
        "world",
        lambda inputs, out: ["world", f"{out}/world", "--entities", "500", "--ages", "2"],
        ("world",),
        variant="ages",
        jobs="--jobs",
        older=("--seed", "2"),
        slow=True,
    ),
    Command(
        "graph",
        lambda inputs, out: ["graph", f"{inputs}/world/wikidata.json.gz", "--out", f"{out}/graph"],
        ("graph",),
        ("world",),
        jobs="--jobs",
        older=("--identifiers",),
    ),
    Command(
        "lexicon",
        lambda inputs, out: ["lexicon", f"{inputs}/graph", "--all", "--out", f"{out}/mine.yaml"],
        ("mine.yaml",),
        ("graph",),
        older=("--least", "40"),
    ),
    Command(
        "corpus",
        lambda inputs, out: [
            *("corpus", f"{inputs}/world/pages.xml.bz2", "--graph", f"{inputs}/graph"),
            *("--out", f"{out}/corpus"),
        ],
        ("corpus",),
        ("world", "graph"),
        jobs="--jobs",
        older=("--words", "50"),
    ),
    Command(
        "corpus",
        lambda inputs, out: [
            *("corpus", f"{inputs}/documents", "--graph", f"{inputs}/graph", "--out", f"{out}/corpus"),
        ],
        ("corpus",),
        ("documents", "graph"),
        "documents",
        jobs="--jobs",
        older=("--words", "5"),
    ),
    Command(
        "extract",
        lambda inputs, out: [
            *("extract", f"{inputs}/corpus", "--out", f"{out}/mine", "--verifier", "none", "--limit", "60"),
        ],
        ("mine", "mine.corpus", "mine.statements.jsonl"),
        ("corpus",),
        older=("--limit", "30"),
    ),
    Command(
        "build",
        _build("graphquestions", "templates.queries=8"),
        _BUILT,
        ("graph", "corpus"),
        "graphquestions",
        keeps=_BUILD_WORK,
        jobs="--jobs",
        older=("--seed", "2"),
        timed=True,
    ),
    Command(
        "build",
        _build("qampari", "answers.least=3", "split.quotas.simple=20", "evidence.verifier=none"),
        _BUILT,
        ("graph", "corpus"),
        "qampari",
        keeps=_BUILD_WORK,
        jobs="--jobs",
        older=("--seed", "2"),
        timed=True,
        slow=True,
    ),
    Command(
        "build",
        _build("romqa", "clusters.clusters=4"),
        _BUILT,
        ("graph", "corpus"),
        "romqa",
        keeps=_BUILD_WORK,
        jobs="--jobs",
        older=("--seed", "2"),
        timed=True,
        slow=True,
    ),
    Command(
        "build",
        _build("mixed", "templates.queries=8", "clusters.clusters=4", "sets.per_operation=4"),
        _BUILT,
        ("graph", "corpus"),
        "mixed",
        keeps=_BUILD_WORK,
        jobs="--jobs",
        older=("--seed", "2"),
        timed=True,
        slow=True,
    ),
    Command(
        "build",
        lambda inputs, out: [
            *_build("graphquestions", "templates.queries=8")(inputs, out),
            *("--update", f"{inputs}/set"),
        ],
        _BUILT,
        ("graph", "corpus", "set"),
        "update",
        keeps=_BUILD_WORK,
        jobs="--jobs",
        older=("--seed", "2"),
        timed=True,
        slow=True,
    ),
    Command("show", lambda inputs, out: ["show", f"{inputs}/set"], reads=("set",)),
    Command("show", lambda inputs, out: ["show", f"{inputs}/corpus"], reads=("corpus",), variant="corpus"),
    Command("show", lambda inputs, out: ["show", f"{inputs}/graph"], reads=("graph",), variant="graph"),
    Command(
        "show",
        lambda inputs, out: ["show", f"{inputs}/graph", "P57", "--json"],
        reads=("graph",),
        variant="relation",
    ),
    Command(
        "stats",
        lambda inputs, out: ["stats", f"{inputs}/set", "--graph", f"{inputs}/graph", "--json"],
        reads=("set", "graph"),
    ),
    Command(
        "audit",
        lambda inputs, out: [
            *("audit", f"{inputs}/set", "--graph", f"{inputs}/graph", "--corpus", f"{inputs}/corpus"),
            *("--closed-book", f"{inputs}/one.jsonl", "--out", f"{out}/audit"),
        ],
        ("audit",),
        ("set", "graph", "corpus", "one.jsonl"),
        older=("--examples", "1"),
    ),
    _EXPORT,
    *(
        replace(_EXPORT, variant=format_, arguments=_export(format_, name), writes=(name,), foreign=False)
        for format_, name in (
            ("qampari", "exported.jsonl"),
            ("graphquestions", "exported.json"),
            ("parquet", "exported.parquet"),
            ("csv", "exported.csv"),
            ("trec", "exported.qrels"),
        )
    ),
    *(
        replace(_EXPORT, variant=format_, arguments=_export(format_, "exported"))
        for format_ in ("huggingface", "croissant", "inspect", "lm-eval", "promptfoo", "ragas", "markdown")
    ),
    replace(
        _EXPORT,
        variant="beir",
        arguments=lambda inputs, out: [
            *_export("beir", "exported")(inputs, out),
            *("--corpus", f"{inputs}/corpus"),
        ],
        reads=("set", "corpus"),
    ),
    Command(
        "import",
        lambda inputs, out: ["import", f"{inputs}/published.jsonl", "--force", "--out", f"{out}/set"],
        _BUILT,
        ("published.jsonl",),
        older=("INPUTS/further.jsonl",),
    ),
    Command(
        "ask",
        lambda inputs, out: ["ask", f"{inputs}/graph", _GRAPH_QUERY, "--picture", f"{out}/query.svg"],
        ("query.svg",),
        ("graph",),
    ),
    Command(
        "ask",
        lambda inputs, out: ["ask", f"{inputs}/graph", _GRAPH_QUESTION, "--picture", f"{out}/query.svg"],
        ("query.svg",),
        ("graph",),
        variant="question",
    ),
    Command(
        "verify",
        lambda inputs, out: [
            *("verify", f"{inputs}/triples.jsonl", "--verifier", "none", "--out", f"{out}/scored.jsonl"),
            "--force",
        ],
        ("scored.jsonl",),
        ("triples.jsonl",),
        jobs="--jobs",
    ),
    Command(
        "verify",
        lambda inputs, out: [
            *("verify", f"{inputs}/triples.jsonl", "--graph", f"{inputs}/graph"),
            *("--corpus", f"{inputs}/corpus", "--out", f"{out}/scored.jsonl", "--force"),
        ],
        ("scored.jsonl",),
        ("triples.jsonl", "graph", "corpus"),
        "contrast",
        jobs="--jobs",
        slow=True,
    ),
    Command(
        "retrieve",
        lambda inputs, out: [
            *("retrieve", f"{inputs}/set", "--corpus", f"{inputs}/corpus", "--k", "5"),
            *("--index", f"{out}/index", "--out", f"{out}/run.jsonl"),
        ],
        ("run.jsonl", "run.jsonl.settings.json"),
        ("set", "corpus"),
        keeps=("index",),
        grows=True,
    ),
    Command(
        "run",
        lambda inputs, out: [
            *("run", f"{inputs}/set", "--corpus", f"{inputs}/corpus", "--graph", f"{inputs}/graph"),
            *("--k", "5", "--index", f"{out}/index", "--out", f"{out}/run.jsonl"),
        ],
        ("run.jsonl", "run.jsonl.settings.json"),
        ("set", "corpus", "graph"),
        keeps=("index",),
        grows=True,
    ),
    # The exercises alone, for which no neural model is needed.
    Command(
        "train",
        lambda inputs, out: [
            *("train", "pig", f"{inputs}/set", "--corpus", f"{inputs}/corpus", "--k", "5", "--prepare"),
            *("--index", f"{out}/index", "--out", f"{out}/exercises"),
        ],
        ("exercises",),
        ("set", "corpus"),
        keeps=("index",),
        older=("--k", "3"),
    ),
    _SCORE,
    replace(
        _SCORE,
        variant="html",
        arguments=lambda inputs, out: [
            *_SCORE.arguments(inputs, out),
            *("--completeness", "0.9", "--html", f"{out}/score.html"),
        ],
        writes=("score.json", "score.tex", "score.html"),
        slow=True,
    ),
    replace(
        _SCORE,
        variant="expand",
        arguments=lambda inputs, out: [
            *("score", f"{inputs}/set", f"{inputs}/one.jsonl", "--resamples", "50"),
            *("--expand", f"{inputs}/graph", "--newly-right", f"{out}/newly_right.jsonl"),
        ],
        writes=("newly_right.jsonl",),
        reads=("set", "one.jsonl", "graph"),
        older=None,
    ),
    Command(
        "compare",
        lambda inputs, out: [
            *("compare", f"{inputs}/set", f"{inputs}/one.jsonl", f"{inputs}/two.jsonl", "--resamples", "50"),
            *("--completeness", "0.9", "--json", f"{out}/compared.json", "--latex", f"{out}/compared.tex"),
        ],
        ("compared.json", "compared.tex"),
        ("set", "one.jsonl", "two.jsonl"),
        older=("--seed", "5"),
    ),
    Command(
        "view",
        lambda inputs, out: ["view", f"{inputs}/set", f"{inputs}/one.jsonl", "--out", f"{out}/view.html"],
        ("view.html",),
        ("set", "one.jsonl"),
        older=("--split", "test"),
    ),
    Command(
        "expand",
        lambda inputs, out: [
            *("expand", f"{inputs}/set", f"{inputs}/graph", "--out", f"{out}/expanded"),
        ],
        ("expanded",),
        ("set", "graph"),
        older=("--sources", "label"),
    ),
    Command(
        "diff",
        lambda inputs, out: [
            *("diff", f"{inputs}/set", f"{inputs}/newer", "--rescore", f"{inputs}/one.jsonl"),
            *("--json", f"{out}/drift.json", "--html", f"{out}/drift.html"),
        ],
        ("drift.json", "drift.html"),
        ("set", "newer", "one.jsonl"),
        older=("--confidence", "0.9"),
    ),
    Command(
        "diff",
        lambda inputs, out: [
            *("diff", f"{inputs}/set", "--graph", f"{inputs}/graph", "--corpus", f"{inputs}/corpus"),
            *("--verifier", "none", "--json", f"{out}/drift.json"),
        ],
        ("drift.json",),
        ("set", "graph", "corpus"),
        variant="graph",
        older=("--rescore", "INPUTS/one.jsonl"),
    ),
    Command("measures", lambda inputs, out: ["measures"]),
    Command("doctor", lambda inputs, out: ["doctor"], timed=True),
    Command("plugins", lambda inputs, out: ["plugins"]),
    Command(
        "demo",
        lambda inputs, out: ["demo", "--entities", "1000", "--out", f"{out}/demo"],
        ("demo",),
        keeps=("demo/questions/.build", "demo/corpus.index"),
        foreign=True,
        grows=True,
        timed=True,
        slow=True,
    ),
)
