"""Drivers: the base class of the code that executes steps, its check, and the calls of its methods."""
