"""The REST API over HTTP: the server, the ASGI application, and the checks of requests that both share."""
