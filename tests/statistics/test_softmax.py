"""Logistic regression, against scikit-learn's."""

from __future__ import annotations

import random

import numpy as np
import pytest

from beat_the_ai.statistics.softmax import fit


def rows_and_classes(seed: int, classes: int) -> tuple[list[tuple[str, ...]], list[int]]:
    draw = random.Random(seed)
    named = [draw.randrange(classes) for _ in range(200)]
    rows = [
        tuple(word for word in "abcdefghij" if draw.random() < (0.7 if ord(word) % classes == each else 0.3))
        for each in named
    ]
    return rows, named


@pytest.mark.parametrize("classes", [2, 3, 5])
def test_it_says_what_scikit_learn_says(classes: int) -> None:
    """Compare weights with scikit-learn's: it keeps one of two classes, and the square of that is twice ours."""
    linear = pytest.importorskip("sklearn.linear_model", reason="scikit-learn comes with the tools for tests")
    rows, named = rows_and_classes(classes, classes)
    matrix = np.array([[float(word in row) for word in "abcdefghij"] for row in rows])
    theirs = (
        linear.LogisticRegression(C=2.0 if classes == 2 else 1.0, tol=1e-8, max_iter=1000)
        .fit(matrix, named)
        .predict_proba(matrix)
    )
    scores = fit(rows, named).scores(rows)
    exponentials = np.exp(scores)
    assert exponentials / exponentials.sum(axis=1, keepdims=True) == pytest.approx(theirs, abs=2e-3)


def test_a_row_that_counts_thrice_is_three_rows() -> None:
    once = fit([("a",), ("a",), ("a",), ("b",)], [0, 0, 0, 1])
    thrice = fit([("a",), ("b",)], [0, 1], [3, 1])
    assert once.scores([("a",), ("b",), ()]) == pytest.approx(thrice.scores([("a",), ("b",), ()]), abs=1e-3)


def test_a_row_without_known_features_gets_the_most_frequent_class() -> None:
    model = fit([("a",), ("b",), ("c",)], [1, 1, 0])
    assert model.scores([(), ("unknown",)]).argmax(axis=1).tolist() == [1, 1]
    assert model.scores([]).shape == (0, 2)


def test_nothing_cannot_be_fitted() -> None:
    with pytest.raises(ValueError, match="No rows"):
        fit([], [])
