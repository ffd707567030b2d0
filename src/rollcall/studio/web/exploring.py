"""Reading any set: search, filters, one question with all that belongs to it, and runs side by side."""

from pathlib import Path
from urllib.parse import urlencode

from starlette.responses import Response

from rollcall.corpus import Corpus
from rollcall.graph import Graph
from rollcall.questions.opening import read_run
from rollcall.questions.run import Run
from rollcall.studio.explorer import (
    ExplorerQuery,
    RunFigures,
    SetIndex,
    find,
    neighbours,
    question_page,
    run_figures,
)
from rollcall.studio.projects import Materials
from rollcall.studio.web.studio import Studio, readable_sets, shelf
from rollcall.studio.web.visit import Access, NotFoundError, Visit, page

_CHOSEN = "f."


@page("/explore", Access.MANAGING)
def sets(visit: Visit) -> Response:
    """The sets that can be read."""
    readable = [
        name
        for name, materials in sorted(readable_sets(visit.studio, visit.user).items())
        if _is_set(materials)
    ]
    return visit.render("explore/sets.html", "Explore", sets=readable)


def _is_set(materials: Materials) -> bool:
    return Path(materials.questions).is_dir()


def _opened(visit: Visit) -> tuple[str, Materials, SetIndex]:
    name = str(visit.params["set"])
    materials = readable_sets(visit.studio, visit.user).get(name)
    if materials is None or not _is_set(materials):
        raise NotFoundError
    return name, materials, visit.studio.indexes.get(materials.questions)


def _wanted(visit: Visit) -> ExplorerQuery:
    chosen = {
        name.removeprefix(_CHOSEN): value
        for name, value in visit.query.items()
        if name.startswith(_CHOSEN) and value
    }
    return ExplorerQuery(visit.query.get("q", ""), chosen, visit.page_number)


def _query(wanted: ExplorerQuery) -> str:
    """The filters as the query of an address, to come back to."""
    pairs = [("q", wanted.text), *((_CHOSEN + name, value) for name, value in wanted.chosen.items())]
    return urlencode([(name, value) for name, value in pairs if value])


@page("/explore/{set}", Access.MANAGING)
def questions(visit: Visit) -> Response:
    """The questions of a set, searched and filtered."""
    name, materials, index = _opened(visit)
    wanted = _wanted(visit)
    results = find(index, wanted)
    return visit.render(
        "explore/set.html",
        f"Explore {name}",
        set=name,
        results=results,
        q=wanted.text,
        query_string=_query(wanted),
        has_runs=bool(_runs(visit.studio, materials)),
    )


@page("/explore/{set}/questions/{id:path}", Access.MANAGING)
def question(visit: Visit) -> Response:
    """One question with its query, answers, evidence, verdicts and runs."""
    name, materials, index = _opened(visit)
    id_ = str(visit.params["id"])
    if id_ not in index.positions:
        raise NotFoundError
    wanted = _wanted(visit)
    before, after = neighbours(index, id_, wanted)
    studio = visit.studio
    shown = question_page(
        index.question(id_),
        corpus=studio.kept(materials.corpus, Corpus.open),
        graph=studio.kept(materials.graph, Graph.open),
        runs=_runs(studio, materials),
    )
    return visit.render(
        "explore/question.html",
        f"{id_}: {name}",
        set=name,
        asked=shown,
        before=before,
        after=after,
        query_string=_query(wanted),
    )


@page("/explore/{set}/runs", Access.MANAGING)
def runs(visit: Visit) -> Response:
    """How runs do on the whole set."""
    name, materials, index = _opened(visit)
    studio = visit.studio
    key = f"figures of {index.folder.resolve()} {len(index)}"
    opened = _runs(studio, materials)

    def figures_of(_: str) -> list[RunFigures]:
        return run_figures(index.without_evidence(), opened) if opened else []

    figures = studio.kept(key, figures_of)
    return visit.render("explore/runs.html", f"Runs: {name}", set=name, figures=figures or [])


def _runs(studio: Studio, materials: Materials) -> list[Run]:
    """The runs of a set: those of its project, and files SET.NAME.jsonl in the studio's folder."""
    stem = f"{Path(materials.questions).name}."
    beside = [path for name, path in shelf(studio).runs.items() if name.startswith(stem)]
    opened = [studio.kept(path, read_run) for path in dict.fromkeys([*materials.runs, *beside])]
    return [run for run in opened if run is not None]
