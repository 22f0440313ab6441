"""The ground of all packages: JSON and replies, texts of events, objects that belong to a process, the engine as its objects know it."""
