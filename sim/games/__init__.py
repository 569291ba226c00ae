"""The games, a folder each; found by the catalog, named nowhere else."""
