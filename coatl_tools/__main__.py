"""The way in: `coatl`, or `python -m coatl_tools`."""

import gc
import os
import sys

_ALIVE = 50_000  # so many new values before any are looked at: what start-up makes, stays


def main() -> None:
    """Run the command; Ctrl-C is answered quietly, even while packages are still loading."""
    try:
        gc.set_threshold(_ALIVE)
        os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # a search in all packages
        from coatl_tools.cli import run  # noqa: PLC0415 (see above)

        sys.exit(run())
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
