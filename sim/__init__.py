"""Play card games by the million: rules, strategies' seats, runs and replays."""

__version__ = "0.1.0"
