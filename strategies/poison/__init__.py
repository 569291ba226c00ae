"""Strategies for 毒药 (Poison)."""
