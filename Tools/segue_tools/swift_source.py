"""Swift sources without a compiler: comments and strings apart, declarations with their lines and parameters."""

import dataclasses
import re
from collections.abc import Iterator

# Tokens that precede a regular expression literal, but not a division.
BEFORE_REGEX = re.compile(r"(?:^|[(,=:\[{!&|?;>]|\b(?:return|case|in|where|if|guard|while|try|await))\s*$")
MODIFIER = r"(?:(?:@\w+(?:\([^()\n]*\))?|[a-z]+(?:\([a-z ]*\))?)[ \t]+)*"
NAME = r"(?:`[^`\n]+`|[\w.]+)"
TYPE = re.compile(rf"^[ \t]*{MODIFIER}(struct|class|enum|actor|protocol|extension)[ \t]+({NAME})", re.M)
FUNCTION = re.compile(
    rf"^[ \t]*({MODIFIER})(?:(func)[ \t]+(`[^`\n]+`|\w+|[-+*/=<>!&|^~%.?]+)|(init)[?!]?|(subscript))[ \t]*(?=[<(])",
    re.M)
PROPERTY = re.compile(rf"^[ \t]*({MODIFIER})(let|var)[ \t]+([^\n]*)", re.M)
# The beginnings of lines that continue the head of a function.
HEAD = re.compile(r"[{>&]|->|(?:where|async|throws|rethrows)\b")
# The comment with the reason for a large declaration.
SIZE_REASON = re.compile(r"^\s*// Size: \w+ \w+")
PAIRS = {"(": ")", "[": "]", "{": "}"}


@dataclasses.dataclass
class Comment:
    """A comment: its first line, its text, and whether it is documentation."""

    line: int
    text: str
    is_documentation: bool


@dataclasses.dataclass
class Declaration:
    """A type or a function: its place, its name, and the range of its body in the text."""

    kind: str
    name: str
    start: int
    first_line: int
    last_line: int
    body: tuple[int, int] | None
    parameters: list[str] = dataclasses.field(default_factory=list)

    @property
    def lines(self) -> int:
        return self.last_line - self.first_line + 1

    @property
    def unlabelled(self) -> int:
        """Returns the number of parameters without a label."""
        return sum(parameter.startswith("_ ") for parameter in self.parameters)


def split(text: str) -> tuple[str, list[tuple[int, str]]]:
    """Returns the text with comments and the contents of literals blanked, and the comments with their places."""
    blank, comments, at = list(text), [], 0

    def erase(start: int, end: int) -> None:
        for place in range(start, end):
            if blank[place] != "\n":
                blank[place] = " "

    while at < len(text):
        character = text[at]
        if text.startswith("//", at):
            end = text.find("\n", at)
            end = len(text) if end < 0 else end
            comments.append((at, text[at:end]))
            erase(at, end)
        elif text.startswith("/*", at):
            end = end_of_block_comment(text, at)
            comments.append((at, text[at:end]))
            erase(at, end)
        elif character == '"' or (character == "#" and re.match(r'#+["/]', text[at:at + 8])):
            end = end_of_literal(text, at)
            erase(at, end)
        elif character == "/" and is_regex(text, at):
            end = end_of_regex(text, at)
            erase(at, end)
        else:
            end = at + 1
        at = max(end, at + 1)
    return "".join(blank), comments


def end_of_block_comment(text: str, at: int) -> int:
    depth = 0
    for match in re.compile(r"/\*|\*/").finditer(text, at):
        depth += 1 if match[0] == "/*" else -1
        if depth == 0:
            return match.end()
    return len(text)


def end_of_literal(text: str, at: int) -> int:
    """Returns the end of a string or an extended regular expression, interpolations included."""
    hashes = re.match(r"#*", text[at:])[0]  # type: ignore[index]
    start = at + len(hashes)
    if text[start] == "/":
        end = text.find("/" + hashes, start + 1)
        return len(text) if end < 0 else end + 1 + len(hashes)
    quote = '"""' if text.startswith('"""', start) else '"'
    at = start + len(quote)
    escape = "\\" + hashes
    while at < len(text):
        if text.startswith(quote + hashes, at):
            return at + len(quote) + len(hashes)
        if text.startswith(escape + "(", at):
            at = end_of_interpolation(text, at + len(escape))
        elif text.startswith(escape, at):
            at += len(escape) + 1
        elif text[at] == "\n" and quote == '"':
            return at
        else:
            at += 1
    return at


def end_of_interpolation(text: str, at: int) -> int:
    depth = 0
    while at < len(text):
        if text[at] == '"':
            at = end_of_literal(text, at)
            continue
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        at += 1
        if depth == 0:
            break
    return at


def is_regex(text: str, at: int) -> bool:
    line = text[text.rfind("\n", 0, at) + 1:at]
    return bool(BEFORE_REGEX.search(line)) and text[at + 1:at + 2] not in (" ", "\n", "", "/", "*") \
        and end_of_regex(text, at) > at + 1


def end_of_regex(text: str, at: int) -> int:
    match = re.compile(r"/(?:[^/\\\n]|\\.)+/").match(text, at)
    return match.end() if match else at + 1


def closing(text: str, at: int) -> int:
    """Returns the place of the closing bracket for the one at a place."""
    opening, depth = text[at], 0
    for match in re.compile(rf"[{re.escape(opening + PAIRS[opening])}]").finditer(text, at):
        depth += 1 if match[0] == opening else -1
        if depth == 0:
            return match.start()
    return len(text) - 1


def parts(text: str) -> list[str]:
    """Returns the pieces between the commas that no bracket encloses."""
    found, depth, start = [], 0, 0
    for at, character in enumerate(text):
        if character in "([{<":
            depth += 1
        elif character in ")]}" or (character == ">" and text[at - 1:at] != "-"):
            depth -= 1
        elif character == "," and depth == 0:
            found.append(text[start:at].strip())
            start = at + 1
    return [part for part in [*found, text[start:].strip()] if part]


class Source:
    """The declarations and comments of a file's text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.code, places = split(text)
        self.starts = [0, *(match.end() for match in re.finditer("\n", text))]
        self.comments = list(self.joined(places))
        self.types = [self.type_at(match) for match in TYPE.finditer(self.code)
                      if match[2] not in ("func", "var", "let")]
        self.functions = [self.function_at(match) for match in FUNCTION.finditer(self.code)]
        for declaration in self.types:
            outer = self.around(declaration.start)
            if outer and declaration.kind != "extension":
                declaration.name = f"{outer.name}.{declaration.name}"

    def line(self, place: int) -> int:
        return self.text.count("\n", 0, place) + 1

    def joined(self, places: list[tuple[int, str]]) -> Iterator[Comment]:
        """Joins consecutive comment lines."""
        block: Comment | None = None
        last = 0
        for place, text in places:
            is_documentation = text.startswith(("///", "/**"))
            line, words = self.line(place), text.strip("/* ")
            is_alone = not self.text[self.text.rfind("\n", 0, place) + 1:place].strip()
            if block and is_alone and line == last + 1 and block.is_documentation == is_documentation:
                block.text += "\n" + words
            else:
                if block:
                    yield block
                block = Comment(line, words, is_documentation)
            last = line + text.count("\n")
        if block:
            yield block

    def around(self, place: int) -> Declaration | None:
        """Returns the innermost type whose body encloses a place."""
        enclosing = [one for one in self.types if one.body and one.body[0] < place < one.body[1]]
        return max(enclosing, key=lambda one: one.start, default=None)

    def type_at(self, match: re.Match[str]) -> Declaration:
        opening = self.code.find("{", match.end())
        end = closing(self.code, opening) if opening >= 0 else match.end()
        start = match.start(1)
        return Declaration(match[1], match[2].strip("`"), start, self.line(start), self.line(end), (opening, end))

    def function_at(self, match: re.Match[str]) -> Declaration:
        at = self.code.index("(", match.end())
        if self.code[match.end()] == "<":
            depth, at = 0, match.end()
            while at < len(self.code):
                depth += {"<": 1, ">": -1}.get(self.code[at], 0) if self.code[at - 1:at + 1] != "->" else 0
                at += 1
                if depth == 0:
                    break
            at = self.code.index("(", at)
        end = closing(self.code, at)
        body = self.body_after(end + 1)
        first = match.start() + len(match[0]) - len(match[0].lstrip())
        last = self.line(body[1]) if body else self.line(end)
        return Declaration(match[2] or match[4] or match[5], (match[3] or match[4] or match[5]).strip("`"), first,
                           self.line(first), last, body, parts(self.code[at + 1:end]))

    def body_after(self, at: int) -> tuple[int, int] | None:
        """Returns the body of a function whose parameters end at a place."""
        while at < len(self.code):
            character = self.code[at]
            if character == "{":
                return at, closing(self.code, at)
            if character in "([":
                at = closing(self.code, at)
            elif character == "}" or (character == "\n" and not self.goes_on(at)):
                return None
            at += 1
        return None

    def goes_on(self, at: int) -> bool:
        """Reports whether the head of a function continues after the end of a line."""
        before, after = self.code[max(0, at - 200):at].rstrip(), self.code[at:at + 200].lstrip()
        return before.endswith(("->", ",", "&", "<", "where", ":")) or bool(HEAD.match(after))

    def has_size_reason(self, declaration: Declaration) -> bool:
        """Reports whether a comment `// Size: REASON` stands above a declaration and its documentation."""
        for line in reversed(self.text[:self.starts[declaration.first_line - 1]].splitlines()):
            if SIZE_REASON.match(line):
                return True
            if not line.lstrip().startswith(("//", "@")):
                return False
        return False

    def stored_properties(self, declaration: Declaration) -> int:
        """Returns the number of stored properties in the body of a type."""
        if not declaration.body or declaration.kind in ("protocol", "extension"):
            return 0
        start, end = declaration.body
        flat, at = list(self.code[start + 1:end]), start + 1
        # Only direct members of the body count, so nested brackets are emptied.
        while at < end:
            if self.code[at] in PAIRS:
                close = min(closing(self.code, at), end)
                for place in range(at + 1, close):
                    flat[place - start - 1] = " " if self.code[place] != "\n" else "\v"
                at = close
            at += 1
        count = 0
        for match in PROPERTY.finditer("".join(flat)):
            if re.search(r"\b(static|class)\b", match[1]):
                continue
            value = match[3].replace("\v", " ")
            brace = value.find("{")
            is_computed = brace >= 0 and "=" not in value[:brace]
            if is_computed and not re.search(r"\b(willSet|didSet)\b",
                                             self.observers(start + 1 + match.start(3) + brace)):
                continue
            count += len(parts(value.split("{")[0])) if "=" not in value or ":" not in value else 1
        return count

    def observers(self, at: int) -> str:
        return self.code[at:closing(self.code, at)]
