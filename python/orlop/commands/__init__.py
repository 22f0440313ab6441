"""The command line: `orlop` and `orlop serve`."""
