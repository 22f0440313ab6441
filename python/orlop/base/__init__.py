"""Shared by all packages: JSON and replies, the texts of events, and the interface of the engine."""
