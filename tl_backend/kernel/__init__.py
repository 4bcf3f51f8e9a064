"""The kernel tree: what every schedule builds, and every target prints.

types, tree     the language
walk            all statements and expressions of a file
"""
