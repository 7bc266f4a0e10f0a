"""A campaign in service: its configuration, its stages and their operators, its money, its people, what it leaves."""
