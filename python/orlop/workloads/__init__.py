"""What services become on a container engine: pure functions, without a connection."""

from .plans import container_plan as container_plan
