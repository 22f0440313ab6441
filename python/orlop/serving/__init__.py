"""The HTTP server of `Engine.serve` and `orlop serve`."""
