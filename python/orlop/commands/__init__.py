"""The command line: `orlop` and its commands."""
