"""`python -m coatl_tools` is `coatl`."""

from coatl_tools.cli import main

if __name__ == "__main__":
    main()
