"""The way in: `coatl`, or `python -m coatl_tools`."""

import gc
import os
import sys

# Collect garbage only after so many new objects: nearly all that start-up makes stays in use.
GC_THRESHOLD = 50_000


def main() -> None:
    """Run the command; Ctrl-C is answered quietly, even while packages are still loading."""
    try:
        gc.set_threshold(GC_THRESHOLD)
        # else pydantic searches all installed packages for plugins
        os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
        sys.exit(_load_and_run())
    except KeyboardInterrupt:
        sys.exit(130)


def _load_and_run() -> int:
    from coatl_tools.errors import CardDataError  # noqa: PLC0415 (inside, for Ctrl-C: see above)

    try:
        from coatl_tools.cli import run  # noqa: PLC0415 (as above)
    except CardDataError as error:  # components.json is broken: no language can be loaded either
        problems = "".join(f"{problem}\n" for problem in error.problems)
        sys.stderr.write(f"Error: The numbers of the box have errors:\n{problems}")
        return error.exit_code
    return run()


if __name__ == "__main__":
    main()
