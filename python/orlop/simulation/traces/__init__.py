"""Traces: the events of a run, read as what they say about its resources."""
