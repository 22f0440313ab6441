"""Platform files: the resources of one environment as YAML, for `orlop up`."""
