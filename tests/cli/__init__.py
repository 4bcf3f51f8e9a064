"""The command line as its users meet it: exit codes, outputs, and what it says to a wrong one."""
