"""The Mephisto plugins of the suite."""
