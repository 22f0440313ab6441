"""Reports of runs: their data, their page, their answer in words, and documents such as invoices."""
