"""The engine: a deployment platform inside this process."""

from __future__ import annotations

from ..generated.options import EngineOptions
from .base_engine import BaseEngine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..deployments.collection import Deployments
    from ..generated.models import OrganizationCollection
    from .batch import Batch


class Engine(BaseEngine, EngineOptions):
    """A platform on a store. A context manager; closing twice is allowed.

    It starts no work by itself: requests are answered on the caller's thread, and deployments advance in `tick`, which
    `run` and every `wait` call. Every method may be called from any thread. The types of the ports among its options
    are in `orlop.ports`. A port is called on a thread that is inside the engine, and must not call it.
    """

    def batch(self) -> Batch:
        """Returns a batch, several requests in one transaction: `with engine.batch() as batch:`. All changes take
        effect at the end of the block, or none."""
        from .batch import Batch

        return Batch(self)

    @property
    def organizations(self) -> OrganizationCollection:
        """The organizations as typed objects; everything else is below them."""
        from ..generated.models import OrganizationCollection

        return OrganizationCollection(self, "")

    @property
    def deployments(self) -> Deployments:
        """Deployment requests by id, also those that were started before the engine was opened."""
        from ..deployments.collection import Deployments
        from ..generated import models as _  # noqa: F401 - a deployment finds the families of its services among them

        return Deployments(self)
