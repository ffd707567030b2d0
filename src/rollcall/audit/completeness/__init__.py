"""How many of the true answers a set has, estimated from several sources of answers (capture and recapture).

`captures` holds which source gave which answer to which question, and measures how far sources depend on one
another; `estimating` has the formulas and their uncertainty, and applies them to kinds, relations and the
whole set.
"""

from rollcall.audit.completeness.captures import Captures
from rollcall.audit.completeness.estimating import CompletenessReport, estimate

__all__ = ["Captures", "CompletenessReport", "estimate"]
