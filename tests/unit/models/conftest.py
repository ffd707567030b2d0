"""The scripts of `models/training`, which are no package, can be imported by tests of this folder."""

import sys

from places import ROOT

sys.path.append(str(ROOT / "models" / "training"))
