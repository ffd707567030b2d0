"""Commands that make a graph and a corpus: of a fictional world, of dumps, or of text alone."""

from command_table.row import Command

SOURCES = (
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
)
