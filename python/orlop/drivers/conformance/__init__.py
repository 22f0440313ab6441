"""The conformance suite of drivers: rules of the driver contract, each tried with a fresh engine."""

from __future__ import annotations

from .report import DriverReport as DriverReport
from .report import RuleResult as RuleResult
from .suite import RULES as RULES
from .suite import check as check
from .view import Probe as Probe
from ..workload import Workload as Workload
