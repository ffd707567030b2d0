"""Search over the corpus of a project, for those who look for further answers."""

from collections.abc import Mapping

from rollcall.corpus import Corpus
from rollcall.studio.database.tables import Project
from rollcall.studio.tasks.searching import RESULTS, corpus_search, result_cards
from rollcall.studio.web.studio import Studio

_LONGEST = 300


def found_passages(
    studio: Studio, project: Project, draft: Mapping[str, list[str]]
) -> list[dict[str, object]]:
    """What the search of a form finds, as the page shows it; nothing where the project has no corpus."""
    text = (draft.get("search") or [""])[-1].strip()[:_LONGEST]
    corpus = project.materials.get("corpus")
    if not text or not isinstance(corpus, str):
        return []
    search = studio.kept(f"search of {corpus}", lambda _: corpus_search(Corpus.open(corpus)))
    return result_cards(search(text, RESULTS)) if search is not None else []
