"""Commands that find answers: in a graph, in passages, by a system, or by one that learns."""

from command_table.row import Command

_GRAPH_QUERY = "?x [director] ?y"
_GRAPH_QUESTION = "Which films have a director?"

ANSWERING = (
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
    # The training examples alone, for which no neural model is needed.
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
)
