"""The library of Orlop's store in PostgreSQL. `orlop.Engine("postgresql://…")` loads it by itself."""

from pathlib import Path

__all__ = ["library"]

library: str = str(Path(__file__).with_name("liborlop-postgresql.so"))
