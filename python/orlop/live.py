"""What all objects share that belong to an engine of this process."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn, SupportsIndex


class Live:
    """An object that asks its engine. Outside of this process it would be nothing: it refuses to be pickled and to be copied."""

    __slots__ = ()

    def __reduce_ex__(self, protocol: SupportsIndex, /) -> NoReturn:
        raise TypeError(
            f"an object of the class {type(self).__name__} belongs to an engine of this process, and can be neither pickled nor copied: "
            "keep its id, or of an engine the path of its store, and read it again"
        )
