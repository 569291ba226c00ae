"""Strategies for Cocktail Poison."""
