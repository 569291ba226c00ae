"""`python -m sim` is the command `fairdeal`."""

from sim.cli import main

if __name__ == "__main__":
    main()
