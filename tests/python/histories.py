"""Recorded histories of single resources, and the search for an order of their operations that explains all answers
(linearizability, after Wing and Gong).

An operation is a line of a file: its request, its answer, and the two instants of its begin and end on the monotonic
clock of the machine, which all processes share. An operation without an answer, of a client that was killed or that got
an error, may have taken effect at any time after its beginning, or never.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

NEVER = float("inf")


class Operation(NamedTuple):
    resource: str
    kind: str  # "read"; "write": unconditional; "swap": only if the tag is `expected`
    begin: float
    end: float = NEVER  # of the answer; NEVER if there is none
    value: str = ""  # value that was written or read
    tag: str = ""  # tag in the answer
    expected: str = ""  # tag that a swap expects
    is_done: bool = True  # False: a swap that was refused because the tag differs

    @property
    def is_known(self) -> bool:
        return self.end != NEVER


State = tuple[str, str]  # value and tag; "" for a tag that no answer has shown


def after(operation: Operation, state: State) -> State | None:
    """Returns the state after the operation if it takes effect in `state`; None if its answer contradicts that."""
    value, tag = state
    if operation.kind == "read":
        is_explained = value == operation.value and tag in ("", operation.tag)
        return (value, operation.tag) if is_explained else None
    if operation.kind == "swap":
        fits = tag == operation.expected
        if operation.is_known and not operation.is_done:
            return state if not fits else None
        # A tag that no answer has shown is new: no client can expect it.
        if not fits:
            return None if operation.is_known else state
    return (operation.value, operation.tag if operation.is_known else "")


def is_linearizable(operations: list[Operation], initial: State) -> bool:
    """Reports whether some order explains these operations of one resource, with each between its begin and its end."""
    operations = sorted(operations, key=lambda operation: operation.begin)
    count = len(operations)
    stack: list[tuple[int, int, State]] = [
        (0, 0, initial)
    ]  # first remaining operation; later ones that are taken, as bits; state
    seen: set[tuple[int, int, State]] = set()
    while stack:
        first, taken, state = stack.pop()
        while first < count and taken & 1:
            first, taken = first + 1, taken >> 1
        if (first, taken, state) in seen:
            continue
        seen.add((first, taken, state))
        left = [at for at in range(first, count) if not taken >> (at - first) & 1]
        if not any(operations[at].is_known for at in left):
            return True
        # Only operations that began before the first end can come next.
        horizon = min(operations[at].end for at in left)
        for at in left:
            if operations[at].begin > horizon:
                break
            next_state = after(operations[at], state)
            if next_state is not None:
                stack.append((first, taken | 1 << (at - first), next_state))
    return False


def violations(operations: Iterable[Operation], initial: dict[str, State]) -> list[str]:
    """Returns the resources whose histories have no explanation."""
    of: dict[str, list[Operation]] = {}
    for operation in operations:
        of.setdefault(operation.resource, []).append(operation)
    return [resource for resource, found in of.items() if not is_linearizable(found, initial[resource])]
