"""What a deployment will probably do, learned from what earlier ones did."""
