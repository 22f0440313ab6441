"""The ground of all packages: JSON and replies, texts of events, and the engine as its objects know it."""
