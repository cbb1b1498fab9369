"""Preflight: read a finished PDF back and check it, without knowing how it was made."""

from coatl_tools.printing.preflight.file_checks import check_pdf
from coatl_tools.printing.preflight.findings import PreflightFinding, PreflightReport, Severity
from coatl_tools.printing.preflight.visual_checks import PreflightLimits

__all__ = ["PreflightFinding", "PreflightLimits", "PreflightReport", "Severity", "check_pdf"]
