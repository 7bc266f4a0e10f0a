"""What the small networks that ship have in common, whatever kind of task they answer for.

`text` and `onnx_folder` need numpy and onnxruntime alone; the other modules need torch: they train, export, or run
models of Hugging Face, `openvino_network` and `quantisation` by OpenVINO.
"""
