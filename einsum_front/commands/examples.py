"""What `--help` of a command shows first: command lines to start from."""

EXAMPLES = {
    "compile": (
        ("wave.ein", "print the OpenCL C"),
        ("wave.ein --dump-to levels", "write every level into a folder"),
        ("wave.ein --emit tl", "print the tensor language"),
        ('--einsum "ik,kj->ij" --shape 8,8 --shape 8,8', "an index string instead of a file"),
        ("wave.ein --target nvidia-sm90", "for a machine that is not here"),
    ),
    "explain": (
        ("wave.ein", "orders, costs, temporaries, and why this schedule"),
        ("wave.ein --draw picture.svg", "draw the network and its orders"),
        ('wave.ein --why-not "(K A) I"', "why another order lost"),
    ),
    "inspect": (("wave.ein --open", "write wave.html, and show it in a browser"),),
    "run": (
        ("wave.ein --batch 10000", "on random data, with the time"),
        ("wave.ein --verify", "and compare every level with the one before it"),
        ("wave.ein --device c", "with the C compiler, without a driver"),
        ("wave.ein --data in.npz --save out.npz", "on data of yours"),
    ),
    "check": (("wave.ein", "mistakes, and nothing else"),),
    "package": (
        ("wave.ein --target c -o wave_kernels", "a library for processors"),
        ("wave.ein --target cuda --arch sm_90 -o wave_kernels", "one for a GPU"),
    ),
    "yateto": (
        ("generate.py", "list the kernels that a script generates"),
        ("--verify generate.py --order 4", "run them; options after the script are the script's"),
        ("--inspect kernels.html generate.py", "a page with all levels"),
    ),
    "devices": (("", "what kernels can run on here"),),
    "targets": (("", "names for --target"),),
    "cache": (("--clear", "forget measurements and kernels"),),
    "tune": (
        ("--export found.sched", "what --tune has found on this machine"),
        ("--import found.sched", "kernels of the same form run so on this one, whatever they are called"),
    ),
    "completion": (("bash > ~/.local/share/bash-completion/completions/einsum-front", "for the next shell"),),
}
"""For each command: what follows its name, and what that does."""

START = (
    ('run --einsum "ik,kj->ij" --shape 8,8 --shape 8,8 --verify', "one contraction, checked at every level"),
    ("run wave.ein --batch 10000", "kernels of a file, with the time"),
    ("explain wave.ein", "why they are computed so"),
    ("package wave.ein --target c -o wave_kernels", "a library for C, C++ and Fortran"),
)
"""The same for all commands together."""


def examples(command: str | None = None) -> str:
    """The lines of a command, or those to start with; what they do in a column."""
    head = "einsum-front" if command is None else f"einsum-front {command}"
    given = START if command is None else EXAMPLES[command]
    lines = [(f"{head} {line}".rstrip(), words) for line, words in given]
    width = max(len(line) for line, _ in lines)
    return "\n".join(["examples:", *(f"  {line:{width}}  # {words}" for line, words in lines)])
