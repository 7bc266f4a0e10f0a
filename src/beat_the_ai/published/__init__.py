"""The figures that the papers publish, a data file for each, to be put beside ours."""
