"""Names of a package that are imported on first use, so that nobody waits for what is not used."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from importlib import import_module


def make_lazy_getattr(
    package: str, names: Collection[str], modules: Sequence[str]
) -> Callable[[str], object]:
    """Make the `__getattr__` of a package whose public names live in modules below it.

    The modules are searched in their order, so those that load fast come first. A package lists
    its names in `__all__`, and imports them for type checkers under `TYPE_CHECKING`.
    """

    def get_lazily(name: str) -> object:
        if name in names:
            for module in modules:
                found = vars(import_module(f"{package}.{module}"))
                if name in found:
                    return found[name]
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return get_lazily
