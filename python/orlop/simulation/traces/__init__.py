"""Traces: the events of a run, and the states, names and differences that follow from them."""
