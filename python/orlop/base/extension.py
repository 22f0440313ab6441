"""Loads the extension module. The error names a library that the system's loader does not find."""

try:
    from .. import _core as _core
except ImportError as error:
    library, _, rest = str(error).partition(":")
    if "cannot open shared object file" not in rest:
        raise
    raise ImportError(
        f"orlop needs the library {library}, which this system's loader does not find; install it, or a wheel of "
        f"orlop, which carries its libraries (pip install --only-binary orlop orlop)",
        name="orlop._core",
        path=error.path,
    ) from None
