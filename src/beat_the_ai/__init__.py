"""Collect datasets with humans and models in the loop."""

import os

# onnxruntime 1.31 gives the machine an id and writes a log of events for Microsoft as soon as it is imported; here no
# process imports it before this.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
