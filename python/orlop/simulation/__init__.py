"""Simulations: virtual time, the rules that script a run, expectations, snapshots, replays and the pytest plugin."""
