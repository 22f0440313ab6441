"""External systems and receivers of webhooks: calls of the host's code, OpenID Connect, delivery over HTTP."""
