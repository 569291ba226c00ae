"""What the results of a run mean: numbers and frames in, numbers and frames out.

It knows no game by name, compiles nothing and draws nothing. The deal with all its rotations is
the unit of every interval. pandas is imported only by the functions that return frames, so that
a small run can print its table without waiting for it.
"""
