"""Scenario files: the resources of a simulation, the actions in it, and the expected results."""
