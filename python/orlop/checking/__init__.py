"""Checks of arguments and of the classes that a host gives, and what is said of wrong ones."""
