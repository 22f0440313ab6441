"""Typed objects: the base classes of resources and collections, the actions of families, variables and settings."""
