"""The YATeTo immediate language: nodes, texts, verifier, interpreter."""
