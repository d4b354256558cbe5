"""Matchings of least cost, whose costs are lists of numbers: the first one that differs decides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from chronotable_host.errors import UserError
from chronotable_host.language import tr

Edge = tuple[int, int]
"""Two vertices."""
Cost = Sequence[int]


def perfect_matching(costs: Mapping[Edge, Cost]) -> dict[int, int] | None:
    """Return who is matched with whom where all vertices are and the costs are least.

    `costs` has a list of equal length for each edge that there is. Costs of a matching are summed
    up, number by number, and compared in order. None where no matching has all the vertices.
    Raises UserError where networkx is not installed.
    """
    try:
        import networkx  # noqa: PLC0415 - a third of a second, and only who pairs a Swiss needs it
    except ImportError as error:
        raise UserError(
            tr("a Swiss is paired with the package networkx; install it: pip install networkx")
        ) from error

    vertices = {vertex for edge in costs for vertex in edge}
    graph: networkx.Graph[int] = networkx.Graph()
    # Python's integers have no end, so that one number can hold a whole list
    graph.add_weighted_edges_from(
        (*edge, -weight) for edge, weight in zip(costs, _weights(costs, len(vertices)), strict=True)
    )
    found = networkx.max_weight_matching(graph, maxcardinality=True)
    if 2 * len(found) != len(vertices):
        return None
    return {a: b for pair in found for a, b in (pair, pair[::-1])}


def _weights(costs: Mapping[Edge, Cost], vertices: int) -> list[int]:
    """Return each list as one number, whose sums are in the order of the lists' sums."""
    rows = list(costs.values())
    weights = [0] * len(rows)
    for column in zip(*rows, strict=True):
        low = min(column)
        span = (max(column) - low) * (vertices // 2)
        if span:  # all matchings have as many edges: what is the same on each edge says nothing
            shift = span.bit_length()
            weights = [
                (weight << shift) + value - low
                for weight, value in zip(weights, column, strict=True)
            ]
    return weights
