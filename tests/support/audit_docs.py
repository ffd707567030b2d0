"""The table of quality checks in docs/audit.md, made from the registry.

python tests/support/audit_docs.py writes it anew.
"""

from pathlib import Path

from rollcall.audit import QUALITY_CHECKS
from rollcall.audit.findings import NEEDS
from rollcall.audit.quality import meaning

DOCUMENT = Path(__file__).parents[2] / "docs" / "audit.md"
_HEADS = {"error": "Errors", "warning": "Warnings", "note": "Notes"}


def rendered() -> str:
    """One table for each severity."""
    parts = []
    for severity, head in _HEADS.items():
        parts.append(f"**{head}**\n\n| check | counts | needs | finds |\n|---|---|---|---|\n")
        for entry in QUALITY_CHECKS:
            if entry.thing.severity == severity and entry.origin.startswith("rollcall."):
                needs = ", ".join(f"`{NEEDS[need].option}`" for need in entry.thing.needs)
                parts.append(f"| `{entry.name}` | {entry.thing.unit} | {needs} | {meaning(entry.thing)} |\n")
        parts.append("\n")
    return "".join(parts)


def written(document: str) -> str:
    """The document with its tables made anew."""
    before, _, rest = document.partition("**Errors**")
    _, _, after = rest.partition("<!-- end of the checks -->")
    return f"{before}{rendered()}<!-- end of the checks -->{after}"


if __name__ == "__main__":
    DOCUMENT.write_text(written(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
