"""docs/gallery.md: every kind of question that the recipes make, each with its picture, answers and evidence.

`make gallery` makes a small world, builds a set of it by each recipe, and writes the page and the pictures
anew; it takes some minutes. The world and the seeds are fixed, so that the same code gives the same page.
"""

import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rollcall.build import build
from rollcall.corpus import make_corpus
from rollcall.graph import Graph, make_graph
from rollcall.query import Query
from rollcall.query.picture import to_svg
from rollcall.questions import Question, QuestionSet
from rollcall.world import write_world

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "gallery.md"
PICTURES = ROOT / "docs" / "gallery"
ENTITIES, SEED = 2000, 1
RECIPES = {
    "qampari": ("evidence.verifier=contrast",),
    "graphquestions": ("templates.queries=200",),
    "romqa": ("clusters.clusters=80", "evidence.verifier=contrast"),
    "setops": ("sets.per_operation=20", "evidence.verifier=contrast"),
}
"""The recipes with the keys that are changed: fewer questions, and a verifier that every install has."""
_HEAD = """# Gallery of question kinds

One question of every kind that the recipes make, from a fictional world of {entities:,} entities. The
recipe `mixed` makes templates, clusters and set operations in one set. In a picture, the double outline is
what is asked for, shaded boxes are entities that the question names, sharp corners are values, a circle is
a function, and a dashed line is a denial. `make gallery` (`tests/support/gallery.py`) makes the world, the
sets and this page; `rollcall ask GRAPH QUERY --picture FILE` draws any query, and `rollcall view SET` shows
every question with its picture.

"""


@dataclass(frozen=True)
class Exhibit:
    """One kind of question: where it comes from, and which questions are of it."""

    recipe: str
    kind: str
    title: str
    about: str
    is_one: Callable[[Question], bool] = lambda question: True

    @property
    def file(self) -> str:
        """The name of its picture."""
        words = self.title.replace("∪", "or").replace("∩", "and").replace("\\", "not")
        return "-".join(word for word in words.lower().replace(",", "").split())


def _category(name: str, edges: int | None = None) -> Callable[[Question], bool]:
    return lambda one: (
        one.characteristics.get("category") == name
        and edges
        in (
            None,
            one.characteristics.get("edges"),
        )
    )


def _shape(text: str) -> Callable[[Question], bool]:
    """Questions of a set operation, which is known by its statements: a union, or so many denials."""
    union = " ∪ " in text
    denied = text.count("\\")

    def is_one(one: Question) -> bool:
        query = Query.parse(one.query.text)  # type: ignore[union-attr]
        negated = sum(edge.negated for pattern in query.patterns for edge in pattern.edges)
        edges = sum(len(pattern.edges) for pattern in query.patterns)
        return (
            (len(query.patterns) > 1) == union
            and negated == denied
            and edges == len(text.split(" ")) // 2 + 1
        )

    return is_one


EXHIBITS = (
    Exhibit("qampari", "simple", "Simple", "One relation to one entity: r(e)."),
    Exhibit("qampari", "intersection", "Intersection", "What two simple questions share: r₁(e₁) ∩ r₂(e₂)."),
    Exhibit(
        "qampari", "composition", "Composition", "A relation of the answers of a simple question: r₂(r₁(e))."
    ),
    Exhibit(
        "qampari", "table-simple", "Table, simple", "Who or what a list page lists, proved by other pages."
    ),
    Exhibit(
        "qampari",
        "table-composition",
        "Table, composition",
        "Those entries of a list whose row says something.",
    ),
    Exhibit(
        "graphquestions",
        "template",
        "Template",
        "A graph of edges, drawn by asked-for shares.",
        _category("none", 2),
    ),
    Exhibit(
        "graphquestions", "template", "Template with three edges", "The same, larger.", _category("none", 3)
    ),
    Exhibit("graphquestions", "template", "Counting", "The answer is a number.", _category("count")),
    Exhibit(
        "graphquestions", "template", "Superlative", "The greatest or the least.", _category("superlative")
    ),
    Exhibit(
        "graphquestions", "template", "Comparative", "More, less, before, after.", _category("comparative")
    ),
    Exhibit(
        "romqa",
        "cluster",
        "Cluster",
        "Questions that share answers and differ in their conditions. A system that overlooks one is caught.",
        lambda one: not one.characteristics.get("negated"),
    ),
    Exhibit(
        "romqa",
        "cluster",
        "Cluster with a denial",
        "A condition that must not hold; only where the graph knows that it does not.",
        lambda one: bool(one.characteristics.get("negated")),
    ),
    *(
        Exhibit("setops", "set-operation", f"Set operation {text}", about, _shape(text))
        for text, about in (
            ("A ∪ B", "Either of two sets."),
            ("A ∩ B ∩ C", "What three sets share."),
            ("A \\ B", "One set without another."),
            ("A ∩ B \\ C", "What two sets share, without a third."),
        )
    ),
)


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(name)
        sets = _sets(folder)
        PICTURES.mkdir(exist_ok=True)
        for old in PICTURES.glob("*.svg"):
            old.unlink()
        with Graph.open(folder / "graph") as graph:
            parts = [_section(exhibit, sets[exhibit.recipe], graph) for exhibit in EXHIBITS]
        PAGE.write_text(_HEAD.format(entities=ENTITIES) + "\n".join(parts), encoding="utf-8")


def _sets(folder: Path) -> dict[str, QuestionSet]:
    """A set of each recipe; what an earlier call made in the folder is used again."""
    graph, corpus = folder / "graph", folder / "corpus"
    if not graph.exists():
        write_world(folder / "world", entities=ENTITIES, seed=SEED)
        make_graph([folder / "world" / "wikidata.json.gz"], graph)
        make_corpus([folder / "world" / "pages.xml.bz2"], corpus, graph=graph)
    return {
        name: build(name, graph=graph, corpus=corpus, out=folder / name, changes=changes)
        for name, changes in RECIPES.items()
    }


def _section(exhibit: Exhibit, questions: QuestionSet, graph: Graph) -> str:
    found = [one for one in questions if one.kind == exhibit.kind and exhibit.is_one(one)]
    assert found, f"no question for {exhibit.title}"
    chosen = min(found, key=_readable)
    query = Query.parse(chosen.query.text)  # type: ignore[union-attr]
    (PICTURES / f"{exhibit.file}.svg").write_text(to_svg(query, _naming(graph)), encoding="utf-8")
    lines = [
        f"## {exhibit.title}\n",
        f"{exhibit.about} Recipe `{exhibit.recipe}`, kind `{exhibit.kind}`.\n",
        f"> **{chosen.question}**\n",
        f"![The query as a graph](gallery/{exhibit.file}.svg)\n",
        f"```text\n{query.text}\n```\n",
        _answers(chosen),
    ]
    others = [one for one in questions if one.cluster == chosen.cluster and one.id != chosen.id]
    if exhibit.kind == "cluster" and others:
        lines.append("Others of its cluster:\n")
        lines += [f"- {one.question} ({_number(one)})" for one in sorted(others, key=_readable)[:3]]
        lines.append("")
    return "\n".join(lines)


def _readable(question: Question) -> tuple[int, int, str]:
    """What is easy to look at comes first: few answers with evidence, few words, not about gender."""
    proved = any(answer.evidence for answer in question.answers)
    plain = "male" in question.question
    return abs(len(question.answers) - 4) + 10 * (not proved) + 3 * plain, len(question.question), question.id


def _answers(question: Question) -> str:
    shown = ", ".join(answer.label for answer in question.answers[:6])
    more = f" and {len(question.answers) - 6} more" if len(question.answers) > 6 else ""
    text = f"Answer{'s' * (len(question.answers) > 1)}: {shown}{more}.\n"
    proved = next((one for one in question.answers if one.evidence), None)
    if proved is None:
        return text
    sentences = dict.fromkeys(
        f"- {piece.title}: *{' '.join(piece.text.split())}*" for piece in proved.evidence
    )
    told = "\n".join(sentences)
    return f"{text}\nEvidence for {proved.label}:\n\n{told}\n"


def _number(question: Question) -> str:
    return f"{len(question.answers)} answer{'s' * (len(question.answers) > 1)}"


def _naming(graph: Graph) -> Callable[[str], str]:
    def name(id_: str) -> str:
        for label in (graph.relation_label, graph.class_label, graph.label):
            if (found := label(id_)) != id_:
                return found
        return id_

    return name


if __name__ == "__main__":
    main()
