"""Ways to find many names in many pages: each by itself, as the search does, and by automata (Aho-Corasick).

`bench_evidence.py` times them. An automaton has the names of one page, or those of a block of pages.
"""

from collections.abc import Callable

Pages = list[tuple[str, list[str]]]
"""The text of each page of a block, and the names to find in it."""


def by_find(pages: Pages) -> int:
    """How often the names stand in their pages, each sought by itself, as the search does."""
    count = 0
    for text, names in pages:
        for name in names:
            place = text.find(name)
            while place >= 0:
                count, place = count + 1, text.find(name, place + 1)
    return count


def rust_by_page(pages: Pages) -> int:
    from ahocorasick_rs import AhoCorasick

    return sum(
        len(AhoCorasick(names).find_matches_as_indexes(text, overlapping=True)) for text, names in pages
    )


def rust_by_block(pages: Pages) -> int:
    from ahocorasick_rs import AhoCorasick

    numbers = numbered(pages)
    automaton, count = AhoCorasick(list(numbers)), 0
    for text, names in pages:
        own = {numbers[name] for name in names}
        count += sum(match[0] in own for match in automaton.find_matches_as_indexes(text, overlapping=True))
    return count


def c_by_page(pages: Pages) -> int:
    return sum(sum(1 for _ in c_automaton(numbered([page])).iter(page[0])) for page in pages if page[1])


def c_by_block(pages: Pages) -> int:
    numbers = numbered(pages)
    automaton, count = c_automaton(numbers), 0
    for text, names in pages:
        own = {numbers[name] for name in names}
        count += sum(number in own for _end, number in automaton.iter(text))
    return count


def c_automaton(numbers: dict[str, int]):
    from ahocorasick import Automaton

    automaton = Automaton()
    for name, number in numbers.items():
        automaton.add_word(name, number)
    automaton.make_automaton()
    return automaton


def numbered(pages: Pages) -> dict[str, int]:
    return {name: number for number, name in enumerate({name: None for _, names in pages for name in names})}


WAYS: dict[str, Callable[[Pages], int]] = {
    "str.find": by_find,
    "ahocorasick_rs, a page": rust_by_page,
    "ahocorasick_rs, a block": rust_by_block,
    "pyahocorasick, a page": c_by_page,
    "pyahocorasick, a block": c_by_block,
}
