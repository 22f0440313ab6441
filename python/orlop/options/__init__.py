"""Options and arguments: their checks, and what an option loads, such as a folder or the library of a store."""
