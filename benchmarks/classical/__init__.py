"""A reader without learning, to compare the learned one with.

Plastic is told from the table by colour (`segment`), each Cóatl is laid straight along its axis
(`axis`), cut where seams repeat (`joints`), and its ends are told by their outline (`ends`).
"""

from benchmarks.classical.find import find_coatls_classically, read_classically

__all__ = ["find_coatls_classically", "read_classically"]
