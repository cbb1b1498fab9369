"""The way in: `coatl`, or `python -m coatl_tools`."""

import sys


def main() -> None:
    """Run the command; Ctrl-C is answered quietly, even while packages are still loading."""
    try:
        from coatl_tools.cli import run  # noqa: PLC0415 (see above)

        sys.exit(run())
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
