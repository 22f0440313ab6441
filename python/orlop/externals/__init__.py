"""External systems and webhook receivers: calls of the host's code, OpenID Connect, delivery over HTTP."""
