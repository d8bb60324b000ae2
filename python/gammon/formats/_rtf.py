"""The text of Rich Text Format as eXtreme Gammon keeps comments in it, and back."""

import re

_TOKEN = re.compile(
    r"\\(?:u(?P<unicode>-?\d{1,6})\s?\??|'(?P<hex>[0-9a-fA-F]{2})|(?P<word>[a-zA-Z]+)(?P<number>-?\d{1,9})?\s?|(?P<sign>[^a-zA-Z]))"
    r"|(?P<brace>[{}])|(?P<text>[^\\{}]+)",
    re.DOTALL,
)
_UNSEEN = {"fonttbl", "colortbl", "stylesheet", "info", "pict", "generator", "object", "header", "footer"}
"""Groups that hold no text."""


def to_text(rtf: str) -> str:
    """Return the text, a line a paragraph; what is no RTF is returned as it is."""
    if not rtf.lstrip().startswith("{\\rtf"):
        return rtf.strip("\r\n")
    parts: list[str] = []
    depth = 0
    unseen = 0
    """The depth of the outermost group that is left out; 0 if there is none."""
    for found in _TOKEN.finditer(rtf):
        if found["brace"]:
            depth += 1 if found["brace"] == "{" else -1
            if depth < unseen:
                unseen = 0
        elif unseen:
            continue
        elif found["word"] in _UNSEEN or found["sign"] == "*":
            unseen = max(depth, 1)
        elif (text := _text_of(found)) is not None:
            parts.append(text)
    return "".join(parts).strip("\n")


def _text_of(found: re.Match[str]) -> str | None:
    if found["text"] is not None:
        return re.sub(r"[\r\n]+", "", found["text"])
    if found["unicode"] is not None:
        number = int(found["unicode"]) & 0xFFFF
        return "" if 0xD800 <= number < 0xE000 else chr(number)
    if found["hex"] is not None:
        return bytes([int(found["hex"], 16)]).decode("cp1252", errors="replace")
    if found["word"] in ("par", "line"):
        return "\n"
    if found["word"] == "tab":
        return "\t"
    if found["sign"] in ("\\", "{", "}"):
        return found["sign"]
    return None


def from_text(text: str) -> str:
    """Return a text as RTF on one line."""
    body = []
    for letter in text:
        code = ord(letter)
        if letter == "\n":
            body.append("\\par ")
        elif letter == "\t":
            body.append("\\tab ")
        elif letter in "\\{}":
            body.append("\\" + letter)
        elif 32 <= code < 127:
            body.append(letter)
        elif code < 0x10000:
            body.append(f"\\u{code if code < 0x8000 else code - 0x10000}?")
        else:
            body.append("?")
    return (
        "{\\rtf1\\ansi\\ansicpg1252\\uc1\\deff0{\\fonttbl{\\f0\\fcharset0 Arial;}}\\f0\\fs20 "
        + "".join(body)
        + "}"
    )
