"""Scenario files: what a simulation holds, what happens in it, and what is expected of it."""
