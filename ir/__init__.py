"""Contraction graph, plan, YATeTo language, and the way from one to the next."""
