"""A local server that speaks Prolific's API: studies, submissions, payments, and pages for participants."""
