"""docs/reference/python.md: the public names of `rollcall`, in the groups a reader looks for.

The page names the objects; what it says of them is taken from their docstrings when the site is built. Verbs
whose options are declared as a record are followed by that record.
"""

import rollcall

_HEAD = """# Python

What `import rollcall` gives: five nouns, the verbs that go between them, and what queries are made of. Each
verb does what the command of its name does, and takes its options as keywords (`by="kind"`) or as the record
that follows it. The names of the packages below stand in
[names.md](../names.md).
"""
GROUPS = {
    "Nouns": ("Graph", "Corpus", "QuestionSet", "Run", "Report"),
    "Verbs": (
        *("write_graph", "make_corpus", "extract", "build", "audit", "annotate", "train", "retrieve", "run"),
        *("score", "compare", "expand", "diff"),
    ),
    "Queries": (
        *("Query", "entity", "instances", "count", "argmax", "argmin", "maximum", "minimum", "distinct"),
        *("minimise", "number", "parse_value"),
    ),
    "Errors": ("RollcallError",),
}
OPTIONS = {
    "make_corpus": "rollcall.corpus.options.CorpusOptions",
    "build": "rollcall.tables.engine.WorkOptions",
    "audit": "rollcall.audit.options.AuditOptions",
    "train": "rollcall.systems.options.TrainOptions",
    "run": "rollcall.systems.options.RunOptions",
    "score": "rollcall.score.options.ScoreOptions",
    "compare": "rollcall.score.options.CompareOptions",
    "expand": "rollcall.score.options.ExpandOptions",
}
"""The records of options, by their verbs."""


def _home(name: str) -> str:
    """The module that defines a name: packages that can be called have the name of the verb."""
    return str(rollcall._HOMES[name]) if name in GROUPS["Verbs"] else "rollcall"


def rendered() -> str:
    """The page."""
    listed = [name for names in GROUPS.values() for name in names]
    assert sorted(listed) == sorted(name for name in rollcall.__all__ if not name.startswith("__"))
    parts = [_HEAD]
    for title, names in GROUPS.items():
        parts.append(f"\n## {title}\n")
        for name in names:
            records = [OPTIONS[name]] if name in OPTIONS else []
            parts += [f"\n::: {address}\n" for address in (f"{_home(name)}.{name}", *records)]
    return "".join(parts)
