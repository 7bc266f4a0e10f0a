"""The router between the workers' pages and the operator, a process of its own that outlives the operator."""
