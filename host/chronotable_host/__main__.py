"""`python -m chronotable_host` is `chronotable`."""

from chronotable_host.cli import main

if __name__ == "__main__":
    main()
