"""The tables: which rows stand in each, in which order, and by which measures they are judged."""

from typing import Literal, NamedTuple

ORACLE = "oracle passages"
CUTS = (10, 25, 50, 100, 200)
QAMPARI = ("R", "P", "F1", "R>=0.8", "F1>=0.5")
OPEN = ("F1", "min(F1)", "P@10", "min(P@10)")


class Table(NamedTuple):
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


def _papers(mixes: tuple[str, ...], systems: tuple[str, ...] = ("fid", "pig")) -> tuple[tuple[str, str], ...]:
    return tuple(
        (f"{system}-{retriever}-{mix}", f"{system}, {retriever}, {_MIXES[mix]}")
        for system in systems
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
    Table(
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
    Table(
        "qampari-4",
        "QAMPARI, Table 4: answers",
        "qampari",
        QAMPARI,
        "F1",
        (*_papers(("nqo", "qo", "mt")), ("closed-book", "closed-book"), *_LLM, *_OURS),
    ),
    Table(
        "qampari-oracle",
        "QAMPARI, answers from oracle passages",
        "qampari",
        QAMPARI,
        "F1",
        tuple((f"{name}-oracle", f"{name}, {ORACLE}") for name in _WITH_ORACLE),
    ),
    Table(
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
    Table(
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
    Table(
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
    Table(
        "romqa-6-open",
        "RoMQA, Table 6: related questions in training, open setting",
        "romqa",
        OPEN,
        "min(P@10)",
        (("seq2seq-many", "seq2seq, many clusters"), ("seq2seq-few", "seq2seq, few clusters")),
    ),
    Table(
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
