"""The conformance suite of drivers: rules of the driver contract, each tried with a fresh engine."""

from __future__ import annotations

from .report import Report as Report
from .report import Result as Result
from .suite import RULES as RULES
from .suite import check as check
from .view import Probe as Probe
from ..workload import Workload as Workload
