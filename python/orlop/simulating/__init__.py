"""What scripts a simulation."""
