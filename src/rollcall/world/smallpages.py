"""Pages other than articles: redirects, disambiguations, concepts, and a few in other namespaces."""

from rollcall.world.article import Page
from rollcall.world.chance import key, word
from rollcall.world.classes import CLASSES
from rollcall.world.concepts import CONCEPT_NUMBERS, CONCEPTS
from rollcall.world.mention import Names
from rollcall.world.titles import ALONE, Titles


def redirect(titles: Titles, number: int) -> Page | None:
    """The redirect from an entity's alias, if there is one."""
    if not titles.has_redirect(number):
        return None
    target = titles.title(number)
    text = f"#REDIRECT [[{target}]]\n\n{{{{R from alternative name}}}}"
    return Page(titles.redirect_alias(number), text, redirect=target)


def disambiguation(titles: Titles, names: Names, number: int) -> Page | None:
    """The disambiguation page of homonyms, written in the block of the first of them."""
    group = titles.homonyms(number)
    if not group or group[0] != number:
        return None
    label = titles.labels.label(number)
    lines = [f"'''{label}''' may refer to:", ""]
    for member in group[:40]:
        name = names.of(member)
        noun = titles.census.kind(member).name
        article = "an" if noun[0] in "aeio" else "a"
        lines.append(f"* [[{name.title}]], {article} {noun}")
    lines += ["", "{{disambiguation}}"]
    free = all(int(titles.skeleton["level"][member]) != ALONE for member in group)
    concept = any(concept.label.lower() == label.lower() for concept in CONCEPTS)
    return Page(label if free and not concept else f"{label} (disambiguation)", "\n".join(lines))


def talk(seed: int, title: str, number: int) -> Page | None:
    """A talk page, for a few articles."""
    if word(key(seed, "talk"), number) % 40:
        return None
    text = "{{WikiProject banner shell|class=Start}}\n\n== Sources ==\nCould someone check the dates? ~~~~"
    return Page(f"Talk:{title}", text, namespace=1)


def fixed_pages(titles: Titles) -> list[Page]:
    """The pages that every world has: concepts, templates, categories."""
    pages = []
    for place, concept in enumerate(CONCEPTS):
        noun = CLASSES[concept.class_id].label
        article = "an" if noun[0] in "aeio" else "a"
        title = titles.title(CONCEPT_NUMBERS + place)
        also = f", also called {concept.aliases[0]}," if concept.aliases else ""
        text = (
            f"'''{concept.label[0].upper() + concept.label[1:]}'''{also} is {article} {noun}.\n\n"
            "It is known in many countries.<ref>''Almanac'', vol. 2.</ref>\n\n"
            "== References ==\n{{reflist}}\n\n"
            f"[[Category:{CLASSES[concept.class_id].plural.capitalize()}]]"
        )
        pages.append(Page(title, text))
    for name, text in (
        (
            "Template:Convert",
            "<includeonly>{{{1}}} {{{2}}}</includeonly><noinclude>Converts units.</noinclude>",
        ),
        ("Template:Reflist", "<includeonly><references /></includeonly>"),
        ("Template:Lang", "<includeonly>''{{{2}}}''</includeonly>"),
    ):
        pages.append(Page(name, text, namespace=10))
    for class_id in ("Q11424", "Q5", "Q515", "Q4022"):
        plural = CLASSES[class_id].plural.capitalize()
        pages.append(
            Page(
                f"Category:{plural}",
                f"Articles about {plural.lower()}.\n\n[[Category:Contents]]",
                namespace=14,
            )
        )
    return pages
