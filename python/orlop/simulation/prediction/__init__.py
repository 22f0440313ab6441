"""Predictions of deployments from the steps in a store's history."""
