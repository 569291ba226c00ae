"""Random generators that are not the game's: Python's, NumPy's and those of compiled code.

No strategy should draw from them. Whoever tests one sets them, to see whether its answers change.
"""

import random

import numpy as np

from sim.core.jit import kernel


@kernel
def _seed_compiled(seed):
    np.random.seed(seed)
    random.seed(seed)


def seed_foreign(seed: int) -> None:
    """Set all of them, 0 <= seed < 2**32."""
    np.random.seed(seed)
    random.seed(seed)
    _seed_compiled(seed)
