"""The prefixes of link targets, from `prefixes.toml`: namespaces, languages and other wikis."""

import tomllib
from pathlib import Path

_DATA = tomllib.loads(Path(__file__).with_name("prefixes.toml").read_text(encoding="utf-8"))


def _words(key: str) -> frozenset[str]:
    return frozenset(word.replace("_", " ") for word in _DATA[key].split())


HIDDEN_NAMESPACES = _words("hidden_namespaces")
OTHER_NAMESPACES = _words("other_namespaces")
OTHER_WIKIS = _words("other_wikis")
LANGUAGES = _words("languages")
