"""Deployment requests: their course, their results and their timeline."""
