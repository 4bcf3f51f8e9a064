"""Questions about a program of the tensor language; passes act on the answers."""
