"""How fast, how large, how soon: `python -m tests.bench`; the game in plain C is here too."""
