"""The pages for participants."""
