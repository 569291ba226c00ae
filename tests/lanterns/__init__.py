"""What pages ask of the made-up game of `tests/made_runs.py`; it cannot be played."""
