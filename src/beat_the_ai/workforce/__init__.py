"""Who may work: requirements, screening, standing, review."""
