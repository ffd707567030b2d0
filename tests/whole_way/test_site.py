"""The site: it builds strictly and fetches nothing from elsewhere; what is made from the code is current."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml

import gallery
import reference_pages
from places import ROOT
from rollcall import Query, __version__
from rollcall.build.pipelines import PIPELINES
from rollcall.build.recipe import names as recipe_names
from rollcall.mine.kinds import packaged_kinds
from rollcall.mine.set_operations import OPERATIONS
from rollcall.query.query import FUNCTIONS
from rollcall.questions import Question
from site_markdown import write_markdown

DOCS = ROOT / "docs"


@pytest.mark.parametrize("name", reference_pages.PAGES)
def test_what_is_made_from_the_code_is_current(name: str) -> None:
    written = (DOCS / name).read_text(encoding="utf-8")
    assert written == reference_pages.PAGES[name](), "run make pages"


def test_every_key_of_a_recipe_has_a_meaning() -> None:
    for entry in PIPELINES:
        for section, about, options in reference_pages.recipes.sections(entry.thing.Parameters):
            assert about or not section, section
            assert all(one.meaning for one in options), (section, [one for one in options if not one.meaning])


def test_every_page_is_in_the_navigation() -> None:
    """The generator says nothing about a page that no menu leads to."""
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    navigation = yaml.safe_load("nav:\n" + text.partition("\nnav:\n")[2])
    listed = [one for one in _leaves(navigation) if one.endswith(".md")]
    assert sorted(listed) == sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))


def _leaves(tree: Any) -> Iterator[str]:
    if isinstance(tree, str):
        yield tree
    else:
        for inner in tree.values() if isinstance(tree, dict) else tree:
            yield from _leaves(inner)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site."""
    if find_spec("zensical") is None:
        pytest.skip("zensical is not installed: pip install 'rollcall-qa[docs]'")
    folder = tmp_path_factory.mktemp("site")
    for name in ("mkdocs.yml", "CHANGELOG.md", "CONTRIBUTING.md"):
        shutil.copy(ROOT / name, folder)
    (folder / "models").mkdir()
    shutil.copy(ROOT / "models" / "README.md", folder / "models")
    shutil.copytree(DOCS, folder / "docs")
    (folder / "src").symlink_to(ROOT / "src")
    built = subprocess.run(
        [sys.executable, "-m", "zensical", "build", "--strict"], cwd=folder, capture_output=True, text=True
    )
    assert built.returncode == 0, built.stdout + built.stderr
    return folder / "site"


def test_every_page_is_in_the_site_as_markdown_and_in_llms_txt(tmp_path: Path) -> None:
    write_markdown(ROOT, tmp_path, "https://docs.example/")
    listed = (tmp_path / "llms.txt").read_text(encoding="utf-8")
    assert listed.startswith("# Rollcall\n\n> Build, audit and score question sets")
    for source in DOCS.rglob("*.md"):
        name = source.relative_to(DOCS).as_posix()
        assert re.search(
            rf"^- \[[^]]+\]\(https://docs\.example/{re.escape(name)}\): \S", listed, re.MULTILINE
        )
        written = (tmp_path / name).read_text(encoding="utf-8")
        assert "--8<--" not in written, name
        assert written.startswith("# ") or name.startswith("reference/"), name
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert (tmp_path / "changelog.md").read_text(encoding="utf-8").strip() == changelog.strip()
    assert re.findall("^## (.+)$", listed, re.MULTILINE)[:2] == ["Start", "How-to"]


@pytest.mark.slow
def test_the_site_builds_strictly_and_fetches_nothing_from_elsewhere(site: Path) -> None:
    pages = {path: path.read_text(encoding="utf-8") for path in site.rglob("*.html")}
    for source in DOCS.rglob("*.md"):
        name = source.relative_to(DOCS).with_suffix("")
        page = site / (name.parent if name.name == "index" else name) / "index.html"
        assert page in pages, source
    for path, text in pages.items():
        fetched = re.findall(r'<(?:script|img|iframe|source)[^>]* src="(https?:[^"]+)', text)
        fetched += re.findall(
            r'<link[^>]* rel="?(?:stylesheet|preconnect)"?[^>]* href="?(https?:[^"]+)', text
        )
        assert not fetched, path
    python = pages[site / "reference" / "python" / "index.html"]
    assert 'id="rollcall.Graph.answers"' in python
    assert "The denotation of a query in this graph" in python
    for verb in ("build.make.build", "audit.verbs.audit", "score.verbs.score"):
        assert f'id="rollcall.{verb}"' in python, "the verb, not the package of its name"


def test_the_gallery_has_every_kind_that_the_recipes_make() -> None:
    page = gallery.PAGE.read_text(encoding="utf-8")
    assert set(re.findall(r"kind `([^`]+)`", page)) == {kind.name for kind in packaged_kinds()}
    assert re.findall(r"^## (.+)$", page, re.MULTILINE) == [exhibit.title for exhibit in gallery.EXHIBITS]
    assert {f"Set operation {one}" for one in OPERATIONS} <= {one.title for one in gallery.EXHIBITS}
    assert all(f"`{name}`" in page for name in recipe_names())
    categories = {
        name
        for exhibit in gallery.EXHIBITS
        for name in FUNCTIONS
        if exhibit.kind == "template"
        and exhibit.is_one(Question("1", "Who?", characteristics={"category": name, "edges": 2}))
    }
    assert categories == FUNCTIONS.keys()


def test_the_pictures_of_the_gallery_are_those_of_its_queries() -> None:
    page = gallery.PAGE.read_text(encoding="utf-8")
    shown = re.findall(r"\]\((gallery/[^)]+\.svg)\)\n\n```text\n(.+)\n```", page)
    assert len(shown) == len(gallery.EXHIBITS)
    assert {Path(file).name for file, _ in shown} == {path.name for path in gallery.PICTURES.iterdir()}
    for file, text in shown:
        query = Query.parse(text)
        assert query.text == text
        drawn = ElementTree.parse(DOCS / file).getroot()
        assert drawn.get("aria-label") == text
        words = [node.text for node in drawn.iter("{http://www.w3.org/2000/svg}text")]
        assert len(words) >= sum(len(pattern.edges) + 1 for pattern in query.patterns)


def test_the_questions_on_the_first_page_are_those_of_the_gallery() -> None:
    page = gallery.PAGE.read_text(encoding="utf-8")
    shown = re.findall(r"> (\*\*.+\*\*)\n>\n> (.+)\n", (DOCS / "index.md").read_text(encoding="utf-8"))
    assert len(shown) == 3
    for question, answers in shown:
        assert question in page
        assert f"Answers: {answers}." in page


def test_the_citation_file_names_this_version_and_every_paper() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert cited.keys() <= {
        *("cff-version", "message", "type", "title", "abstract", "authors", "version", "license"),
        *("keywords", "references"),
    }
    assert cited["cff-version"] == "1.2.0"
    assert (cited["type"], cited["title"]) == ("software", "Rollcall")
    assert cited["version"] == __version__
    assert f'license = "{cited["license"]}"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for work in [cited, *cited["references"]]:
        assert work["title"]
        assert all(
            {"name"} == person.keys() or {"family-names", "given-names"} <= person.keys()
            for person in work["authors"]
        )
    titles = " ".join(work["title"] for work in cited["references"])
    for word in ("QAMPARI", "Characteristic-rich", "RoMQA", "What's in a Name?", "QUEST"):
        assert word in titles
