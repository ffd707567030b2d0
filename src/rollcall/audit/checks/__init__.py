"""The quality checks by name. Each registers itself in its own file."""

from rollcall._core.registry import Registry
from rollcall.audit.findings import QualityCheck, lacks

QUALITY_CHECKS: Registry[type[QualityCheck]] = Registry(
    "quality check", "quality_checks", "rollcall.audit.checks", lacks
)
