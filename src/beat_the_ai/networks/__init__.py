"""The common parts of networks, whatever kind of task they answer for.

`text` and `onnx_folder` need numpy and onnxruntime alone; `openvino_network` and `quantisation` use OpenVINO. The other
modules need torch: they train, export, or run models of Hugging Face.
"""
