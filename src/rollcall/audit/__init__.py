"""How true a question set is, how complete it is, and what changed.

The function is `audit`; everything is imported on first use. The package itself can be called, because
`rollcall.audit` is both its name and the name of the function. `checks` is a registry of quality checks, so
that a user adds one in a file of their own. `sources` collects the answers that graph, lists, text and runs
give to each question; `completeness` estimates from them how many answers no source has; `missing` lists the
most likely ones, to be judged and accepted; `drift` says what changed.
"""

import sys
from typing import TYPE_CHECKING

from rollcall._core.packages import VerbPackage, names_on_first_use

if TYPE_CHECKING:
    from rollcall.audit.checks import QUALITY_CHECKS as QUALITY_CHECKS
    from rollcall.audit.findings import CheckResult as CheckResult
    from rollcall.audit.findings import Example as Example
    from rollcall.audit.findings import Findings as Findings
    from rollcall.audit.findings import QualityCheck as QualityCheck
    from rollcall.audit.findings import QuestionCheck as QuestionCheck
    from rollcall.audit.material import Material as Material
    from rollcall.audit.options import AuditOptions as AuditOptions
    from rollcall.audit.quality import QualityCard as QualityCard
    from rollcall.audit.result import Audit as Audit
    from rollcall.audit.verbs import audit as audit

_HOMES = {
    "Audit": "result",
    "AuditOptions": "options",
    **dict.fromkeys(("CheckResult", "Example", "Findings"), "findings"),
    "Material": "material",
    "QUALITY_CHECKS": "checks",
    **dict.fromkeys(("QualityCheck", "QuestionCheck"), "findings"),
    "QualityCard": "quality",
    "audit": "verbs",
}

__all__ = sorted(_HOMES)

if not TYPE_CHECKING:
    __getattr__, __dir__ = names_on_first_use(__name__, _HOMES)

sys.modules[__name__].__class__ = VerbPackage
