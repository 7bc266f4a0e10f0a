"""Student's distribution, without scipy.

With T = √freedom·tan(angle) the density of the angle is cos^(freedom-1), which is integrated over equal steps.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np

ANGLES = 20_001


def beyond(t: float, freedom: float) -> float:
    """Return the probability of |T| ≥ t."""

    def integral(start: float) -> float:
        angles = np.linspace(start, math.pi / 2, ANGLES)
        return float(np.trapezoid(np.cos(angles) ** (freedom - 1), angles))

    return integral(math.atan(t / math.sqrt(freedom))) / integral(0.0)


@cache
def quantile(confidence: float, freedom: int) -> float:
    """Return t so that |T| < t with this probability."""
    angles = np.linspace(0.0, math.pi / 2, ANGLES)
    density = np.cos(angles) ** (freedom - 1)
    within = np.concatenate([[0.0], np.cumsum(density[1:] + density[:-1])])
    return math.sqrt(freedom) * math.tan(np.interp(confidence * within[-1], within, angles))
