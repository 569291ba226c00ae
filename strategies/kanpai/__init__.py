"""Strategies for 干杯 (CHEERS)."""
