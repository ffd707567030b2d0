"""Commands that score, compare and show runs, and say what changed."""

from dataclasses import replace

from command_table.row import Command

_SCORE = Command(
    "score",
    lambda inputs, out: [
        *("score", f"{inputs}/set", f"{inputs}/one.jsonl"),
        *("--json", f"{out}/score.json", "--latex", f"{out}/score.tex"),
    ],
    ("score.json", "score.tex"),
    ("set", "one.jsonl"),
    older=("--confidence", "0.9"),
)

SCORING = (
    _SCORE,
    replace(
        _SCORE,
        variant="html",
        arguments=lambda inputs, out: [
            *_SCORE.arguments(inputs, out),
            *("--completeness", "0.9", "--html", f"{out}/score.html", "--verdicts", f"{out}/all.xlsx"),
        ],
        writes=("score.json", "score.tex", "score.html", "all.xlsx"),
        slow=True,
    ),
    replace(
        _SCORE,
        variant="expand",
        arguments=lambda inputs, out: [
            *("score", f"{inputs}/set", f"{inputs}/one.jsonl"),
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
)
