"""Simulated workers for rehearsals and load tests; they speak the wire protocol of the pages."""
