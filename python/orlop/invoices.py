"""Invoices as PDF files; needs the extra `orlop[invoices]`."""

from .reporting.invoices import pdf

__all__ = ["pdf"]
