"""Text made safe for SVG and HTML, whatever a file had as names and comments."""

import html
import re

__all__ = ["attributes", "clean", "escape", "number"]

_UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 has no way to write: control characters, halves of surrogate pairs."""


def clean(text: str) -> str:
    """Return a text with characters that no document can hold replaced."""
    return _UNWRITABLE.sub("\ufffd", text)


def escape(text: str) -> str:
    r"""Return a text as it is written in markup, in quotes or between tags.

    >>> from gammon.viz._markup import escape
    >>> escape("<b> & 'B'\x00")
    '&lt;b&gt; &amp; &#x27;B&#x27;�'
    """
    return html.escape(clean(text))


def number(value: float) -> str:
    """Return a length in pixels with as many digits as can be seen."""
    text = f"{value:.1f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def attributes(**values: str | float | None) -> str:
    """Return attributes with a space before each; those that are `None` are left out.

    >>> from gammon.viz._markup import attributes
    >>> attributes(x=1.25, stroke_width=2, fill=None, role="img")
    ' x="1.2" stroke-width="2" role="img"'
    """
    parts = []
    for name, value in values.items():
        if value is None:
            continue
        text = escape(value) if isinstance(value, str) else number(value)
        parts.append(f' {name.rstrip("_").replace("_", "-")}="{text}"')
    return "".join(parts)
