"""Slow, obvious twins of the games, written from the rule sheets alone."""
