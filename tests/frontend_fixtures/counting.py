"""Counts of minima and permutation points, as decimal text."""

from __future__ import annotations

from permsym_book.landscape.counting import (
    log10_minima_copies,
    log10_saddle_counts,
    saddle_count,
    saddle_counts,
    saddle_words,
    scientific,
)


def fixture() -> dict:
    """``counting``: networks, single layers, and integers with their scientific form."""
    networks = []
    for hidden in ([1], [2], [3], [4], [7], [10], [3, 4], [4, 4, 6], [32, 16], [512, 512], [1000, 999, 2]):
        for K in sorted({1, 2, 3, max(hidden) // 2} - {0}):
            counts = saddle_counts((3, *hidden, 2), K)
            log = log10_saddle_counts((3, *hidden, 2), K)
            networks.append(
                {
                    "hidden": hidden,
                    "K": K,
                    "minima": str(counts.minima)
                    if counts.minima < 10**4000
                    else scientific(counts.minima, 20),
                    "total": str(counts.total) if counts.total < 10**4000 else scientific(counts.total, 20),
                    "per_layer": [
                        str(count) if count < 10**4000 else scientific(count, 20)
                        for count in counts.per_layer
                    ],
                    "factor": [str(counts.factor.numerator), str(counts.factor.denominator)],
                    "log_minima": log10_minima_copies((3, *hidden, 2)),
                    "log_total": log if counts.total else None,
                }
            )
    layers = [
        {
            "n": n,
            "K": K,
            "count": saddle_count(n, K),
            "enumerated": sum(1 for _ in saddle_words(n, K)) if n < 7 else None,
        }
        for n in range(1, 8)
        for K in range(1, 4)
    ]
    texts = [
        [str(number), figures, scientific(number, figures)]
        for number in (1, 7, 99, 9999, 12345, 99996, 12350, 12450, 99995, 10**30 - 1, 123456789 * 10**25)
        for figures in (1, 3, 4)
    ]
    return {"counting": {"networks": networks, "layers": layers, "texts": texts}}
