"""Programs import `at_table.chances`."""
