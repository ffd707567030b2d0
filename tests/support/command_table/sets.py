"""Commands that show, check, write and read question sets."""

from dataclasses import replace
from pathlib import Path

from command_table.row import Arguments, Command


def _export(format_: str, name: str) -> Arguments:
    force = ["--force"] if "." in name else []  # a killed export into a folder is completed without it

    def arguments(inputs: Path, out: Path) -> list[str]:
        return ["export", f"{inputs}/set", "--format", format_, "--out", f"{out}/{name}", *force]

    return arguments


_EXPORT = Command("export", _export("jsonl", "exported"), ("exported",), ("set",), foreign=True)

SETS = (
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
        ("set",),
        ("published.jsonl",),
        older=("INPUTS/further.jsonl",),
    ),
)
