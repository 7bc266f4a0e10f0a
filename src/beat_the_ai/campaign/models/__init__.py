"""Models beside a campaign: checked before it, measured on its rounds, asked again about its works."""
