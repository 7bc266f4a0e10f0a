"""Statistics of campaigns and datasets."""
