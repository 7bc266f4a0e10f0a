"""The paper's experiments on any datasets: models trained on each and on several, and measured on each."""
