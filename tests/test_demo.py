"""The first minute: the demo runs from nothing, and the README's Python runs after it."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_the_demo_and_the_readme_are_true(tmp_path):
    demo = subprocess.run(
        [sys.executable, "-m", "rollcall.cli.main", "demo"], cwd=tmp_path, capture_output=True, text=True
    )
    assert demo.returncode == 0, demo.stderr
    shapes = re.findall(r"^── \d\. (\w+):", demo.stdout, re.MULTILINE)
    assert shapes == ["Intersection", "Composition", "Subtraction", "Superlative", "Comparison"]
    for name in ("query   ", "lambda  ", "sparql", "answers ("):
        assert len(re.findall(f"^{re.escape(name)}", demo.stdout, re.MULTILINE)) == 5
    assert "— also " in demo.stdout  # aliases

    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = readme[readme.index("── 1. Intersection") : readme.index("```\n\n`make install`")]
    assert shown.strip() in demo.stdout, "the README shows what the demo prints"
    (example,) = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    ran = subprocess.run([sys.executable, "-c", example], cwd=tmp_path, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.count("\n") >= 3
