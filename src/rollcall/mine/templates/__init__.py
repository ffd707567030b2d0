"""Graph-shaped queries with given characteristics, as in GraphQuestions.

Input: a graph, and a corpus if there is one. Output: the tables `queries`, `answers`, `proofs` and `facts`.

- `Template`: the kind. `quotas`: the options, and the choice that comes closest to the quotas.
- `mine`: runs attempts in rounds until the quotas are met. `attempt`: one attempt, which adds a function and
  minimises the query. `sketch`: grows a template, and decides which of its nodes are named.
- `paraphrase`: the other names that the corpus uses for an entity in a question.
"""

from typing import TYPE_CHECKING

from rollcall._core.console import Progress
from rollcall.mine.kinds import KINDS, Mined, MiningContext, QuestionKind
from rollcall.mine.templates.quotas import TemplateOptions, check_classes
from rollcall.tables.build import TemplateQueries

if TYPE_CHECKING:
    from rollcall.graph import Graph


@KINDS.register("template")
class Template(QuestionKind):
    """Graph-shaped queries with asked-for characteristics and functions, as in the GraphQuestions paper."""

    name = "template"
    section = "templates"
    Options = TemplateOptions
    Rows = TemplateQueries
    variants = True
    proved = False
    reads = ("graph", "corpus")

    @classmethod
    def check(cls, options: TemplateOptions, graph: "Graph") -> None:
        """Refuse quotas for classes that the graph does not have."""
        check_classes(options.quotas, graph)

    @classmethod
    def mine(cls, options: TemplateOptions, context: MiningContext) -> Mined:
        """Grow templates until the quotas are met; quotas that could not be met become notes."""
        from rollcall.graph import Graph
        from rollcall.mine.templates.mine import mine_templates, write_templates

        with Progress("templates", options.attempts, show=context.show_progress) as progress:
            mined = mine_templates(
                context.graph,
                context.corpus,
                options,
                context.engine,
                context.folder,
                seed=context.seed,
                lexicon=context.lexicon,
                progress=progress,
            )
        with Graph.open(context.graph) as graph:
            query_count = write_templates(graph, mined.chosen, context.folder)
        counts = {
            "attempts": mined.attempts,
            "grounded queries": mined.grounded,
            "different ones": mined.found,
        }
        return Mined(query_count, notes=[str(unfilled) for unfilled in mined.unfilled], counts=counts)
