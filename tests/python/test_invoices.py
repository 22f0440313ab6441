"""Invoices as PDF files."""

from __future__ import annotations

import re
import sys
import zlib
from base64 import a85decode
from typing import Any

import orlop
import pytest
from orlop.invoices import pdf

LINES = [{"kind": "PLAN", "text": "Plan <TEAM> & more, January 2026", "quantity": 1.0, "amount": 49.0}]
INVOICE: dict[str, Any] = {
    "id": "0190a0a0-0000-7000-8000-000000000001",
    "created_at": "2026-02-01T00:00:00.000Z",
    "status": "PAID",
    "total": 49.0,
    "total_in_cents": 4900,
    "currency_code": "EUR",
    "period_start": "2026-01-01T00:00:00.000Z",
    "period_end": "2026-02-01T00:00:00.000Z",
    "lines": LINES,
}
INFO = {
    "first_name": "Ada",
    "last_name": "L",
    "company": "Harbour Goods",
    "address": "1 rue A",
    "zip": "75001",
    "city": "Paris",
    "country_code": "FR",
}


def text_of(file: bytes) -> str:
    streams = re.findall(rb"stream\r?\n(.*?)endstream", file, re.DOTALL)
    pages = [zlib.decompress(a85decode(stream.strip().removesuffix(b"~>"))) for stream in streams]
    return " ".join(part.decode("latin-1") for page in pages for part in re.findall(rb"\((.*?)(?<!\\)\) Tj", page))


def test_an_invoice_is_a_file_with_its_lines_and_its_address() -> None:
    file = pdf(INVOICE, INFO, seller="Orlop\n1 Quay")
    assert file.startswith(b"%PDF-")
    shown = text_of(file)
    for words in (
        "Orlop",
        "1 Quay",
        "Harbour Goods",
        "75001 Paris",
        "Plan < TEAM > & more",
        "49.00",
        "Total",
        "2026-01-01 to 2026-02-01",
        INVOICE["id"],
    ):
        assert words in shown, shown


def test_the_same_invoice_is_the_same_file() -> None:
    assert pdf(INVOICE, INFO) == pdf(INVOICE, INFO)


def test_many_lines_take_several_pages() -> None:
    file = pdf({**INVOICE, "lines": LINES * 500})
    assert len(re.findall(rb"/Type /Page\b", file)) > 5


@pytest.mark.parametrize("missing", ["id", "total", "currency_code", "created_at", "status"])
def test_what_is_no_invoice_is_refused(missing: str) -> None:
    with pytest.raises(orlop.Misuse, match="must be an invoice"):
        pdf({name: value for name, value in INVOICE.items() if name != missing})


def test_without_the_library_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "reportlab.lib.pagesizes", None)
    with pytest.raises(orlop.Misuse, match=r"pip install orlop\[invoices\]"):
        pdf(INVOICE)
