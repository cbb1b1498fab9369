"""Preflight: a finished PDF is read back and checked, without knowing how it was made."""

from coatl_tools.printing.preflight.checking import check
from coatl_tools.printing.preflight.report import Finding, Report, Severity

__all__ = ["Finding", "Report", "Severity", "check"]
