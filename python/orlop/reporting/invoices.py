"""Invoices as PDF files. Needs ReportLab: `pip install orlop[invoices]`.

The external systems of a host answer the question `get_invoice_link` with the address of a file; `pdf` makes the file.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any

from ..errors import Misuse

__all__ = ["pdf"]

_WIDTHS = (260, 90, 110)  # of the table's columns, in points


def pdf(invoice: Mapping[str, Any], billing_info: Mapping[str, Any] | None = None, *, seller: str = "") -> bytes:
    """Returns the invoice as a PDF file of one page or more.

    `invoice` is the answer of `GET /organization/{organizationId}/invoice/{invoiceId}`, `billing_info` the
    organization's billing information. `seller` is printed at the top: name and address, one line each. Raises `Misuse`
    if ReportLab is not installed, or a member of the invoice is missing.
    """
    try:
        from reportlab.lib.pagesizes import A4
        from reportlab.platypus import SimpleDocTemplate
    except ImportError as error:
        raise Misuse("invoices as PDF need ReportLab: pip install orlop[invoices]") from error
    try:
        story = _story(invoice, billing_info or {}, seller)
    except (KeyError, TypeError) as error:
        raise Misuse(
            f"invoice must be an invoice as the engine answers it: {error!r} is missing or of another type"
        ) from error
    made = io.BytesIO()
    SimpleDocTemplate(
        made, pagesize=A4, title=f"Invoice {invoice['id']}", author=seller.partition("\n")[0], invariant=True
    ).build(story)
    return made.getvalue()


def _story(invoice: Mapping[str, Any], info: Mapping[str, Any], seller: str) -> list[Any]:
    from reportlab.lib import colors
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import Paragraph, Spacer, Table, TableStyle

    styles = getSampleStyleSheet()
    currency = str(invoice["currency_code"])
    rows = [["", "Quantity", currency]]
    rows += [
        [Paragraph(_escaped(line["text"]), styles["Normal"]), f"{line['quantity']:,.2f}", f"{line['amount']:,.2f}"]
        for line in invoice.get("lines", [])
    ]
    rows.append(["Total", "", f"{invoice['total']:,.2f}"])
    table = Table(rows, colWidths=_WIDTHS, repeatRows=1)
    table.setStyle(
        TableStyle(
            [
                ("ALIGN", (1, 0), (-1, -1), "RIGHT"),
                ("LINEBELOW", (0, 0), (-1, 0), 0.5, colors.grey),
                ("LINEABOVE", (0, -1), (-1, -1), 0.5, colors.black),
            ]
        )
    )
    period = (
        f"{str(invoice.get('period_start', ''))[:10]} to {str(invoice.get('period_end', ''))[:10]} (UTC, end excluded)"
    )
    facts = [
        f"Invoice {invoice['id']}",
        f"Date: {str(invoice['created_at'])[:10]}",
        f"Period: {period}",
        f"Status: {invoice['status']}",
    ]
    return [
        *[Paragraph(_escaped(line), styles["Normal"]) for line in seller.splitlines()],
        Spacer(1, 18),
        *[Paragraph(_escaped(line), styles["Normal"]) for line in _address(info)],
        Spacer(1, 18),
        Paragraph("Invoice", styles["Title"]),
        *[Paragraph(_escaped(line), styles["Normal"]) for line in facts],
        Spacer(1, 12),
        table,
    ]


def _address(info: Mapping[str, Any]) -> list[str]:
    """Returns the lines of the address, without empty ones."""
    person = f"{info.get('first_name') or ''} {info.get('last_name') or ''}".strip()
    town = f"{info.get('zip') or ''} {info.get('city') or ''}".strip()
    vat = f"VAT {info['vat_number']}" if info.get("vat_number") else ""
    return [
        line
        for line in (
            info.get("company"),
            person,
            info.get("address"),
            town,
            info.get("state"),
            info.get("country_code"),
            vat,
        )
        if line
    ]


def _escaped(text: Any) -> str:
    return str(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
