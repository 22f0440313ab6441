"""The base class of all objects that belong to an engine of this process."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn, SupportsIndex


class Live:
    """An object of one engine or of this process. It can be neither pickled nor copied."""

    __slots__ = ()

    def __reduce_ex__(self, protocol: SupportsIndex, /) -> NoReturn:
        raise TypeError(
            f"an object of the class {type(self).__name__} belongs to an engine of this process, and can be "
            f"neither pickled nor copied: "
            "keep its id, or of an engine its settings, and make it anew there"
        )
