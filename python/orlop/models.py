"""The classes of the families of resources, and the types of their fields."""

from .generated.models import *  # noqa: F403
from .generated.models import __all__ as __all__
