"""Modules that `orlop_generate` writes from the tables of the core. They are edited there."""
