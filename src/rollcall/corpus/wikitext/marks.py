"""The marks in rendered text before it is finished.

Rendering writes one string in which breaks, headings, links and gaps are marked by control characters. None
of these come from a page: they are removed from every source first. Rendering is fast because it works on one
string instead of a tree. The mark of a link contains its target, so it can be copied or dropped freely.
"""

import re

GAP = "\x01"
"""Dropped markup without text: a footnote, a picture, an unknown template."""
BREAK = "\x02"
"""Between paragraphs, list items and headings."""
LINK, ANCHOR, LINK_END = "\x03", "\x04", "\x05"
"""A link is LINK target ANCHOR words LINK_END."""
HEADING = "\x06"
"""A paragraph that begins with it is a heading: level, then text."""
QUOTE = "\x07"
"""An apostrophe that is not markup."""

CONTROL = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufeff\ufff9-\ufffb\ufffe\uffff]"
)
"""Characters that are removed: control characters, unpaired surrogates, noncharacters."""
_RETURNS = re.compile("\r\n?|[\x85\u2028\u2029]")


def without_control_characters(text: str) -> str:
    """The text without control characters, and with one kind of line break."""
    if text.isascii() and text.isprintable():
        return text
    if "\r" in text or "\x85" in text or "\u2028" in text or "\u2029" in text:
        text = _RETURNS.sub("\n", text)
    return CONTROL.sub("", text)


def link(target: str, words: str) -> str:
    """A marked link; a link never spans a break, and a link without text is dropped."""
    words = words.replace(BREAK, " ").replace(HEADING, "")
    if not words.strip(f" \n\t{GAP}"):
        return words
    return f"{LINK}{target}{ANCHOR}{words}{LINK_END}"
