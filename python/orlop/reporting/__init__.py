"""Reports of runs: their data, page and summary; documents such as invoices."""
