"""How the package calls code and addresses of the host: threads for steps, questions to external systems, targets of webhooks."""
