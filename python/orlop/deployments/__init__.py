"""Deployment requests: their progress, results and timeline."""
