"""The tensor language: nodes, texts, meaning, passes, and OpenCL C from it."""
