"""Strategies for 幸灾乐祸 (Schadenfreude)."""
