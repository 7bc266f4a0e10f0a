"""From attempts to datasets: exports with pseudonymous worker ids."""
