"""The quality checks by name. Each registers itself in its own file."""

from rollcall.audit.check import QualityCheck, lacks
from rollcall.registry import Registry

QUALITY_CHECKS: Registry[type[QualityCheck]] = Registry(
    "quality check", "quality_checks", "rollcall.audit.checks", lacks
)
