"""The transcript of a campaign: its entries, the signed files of an export, and checking them without the store."""
