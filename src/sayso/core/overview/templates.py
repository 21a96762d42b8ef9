"""Templates in words: their text as it is written, each value by its name in bold, what tags do in square brackets."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from liquid.ast import BlockNode, Node
from liquid.builtin.content import ContentNode
from liquid.builtin.expressions import FilteredExpression, Literal, StringLiteral
from liquid.builtin.expressions.primitive import Blank, Empty, Nil
from liquid.builtin.output import OutputNode
from liquid.builtin.tags.assign_tag import AssignNode
from liquid.builtin.tags.case_tag import CaseNode, MultiExpressionBlockNode
from liquid.builtin.tags.cycle_tag import CycleNode
from liquid.builtin.tags.decrement_tag import DecrementNode
from liquid.builtin.tags.for_tag import BreakNode, ContinueNode, ForNode
from liquid.builtin.tags.if_tag import IfNode
from liquid.builtin.tags.increment_tag import IncrementNode
from liquid.builtin.tags.liquid_tag import LiquidNode
from liquid.builtin.tags.tablerow_tag import TablerowNode
from liquid.builtin.tags.unless_tag import UnlessNode
from liquid.expression import Expression

from sayso.core.overview.expressions import in_words, loop_in_words, others
from sayso.core.overview.markdown import bold
from sayso.core.templates.template import Template

_MORE = "… and more, which the document says"


class _Piece(NamedTuple):
    """A part of what is said: the template's own text, or ours about it."""

    words: str
    is_ours: bool = True


_END = _Piece("]")

# Where a blank has to stand between two pieces, with \x01 at what is ours: between two of ours and after our colon;
# between a letter and our word, or a name that begins or ends with a mark; before what would make a link of brackets,
# and after what would take the next mark away.
_APART = re.compile(
    r"\S\x01\0\x01[^\s\]]|:\x01\0\S|\w\0\x01\w|\S\0\x01\(|\w\0\x01\*\*[\W_]|[\W_]\*\*\x01\0\w|\]\x01?\0\x01?[(\[:]|\\\0"
)


def template_in_words(template: Template, text: Callable[[str], str], limit: int) -> str:
    """A template as a person reads it, in about ``limit`` bytes at most. ``text`` makes Markdown of its own text."""
    return _joined(_within(limit, _Reader(text).all(template.parsed.nodes)))


def _within(room: int, pieces: Iterable[_Piece]) -> Iterator[_Piece]:
    """The pieces that there is room for, and then that there are more."""
    for piece in pieces:
        written = piece.words.encode()
        room -= len(written)
        if room < 0:
            if not piece.is_ours:
                yield _Piece(written[:room].decode(errors="ignore"), is_ours=False)
            yield _Piece(_MORE)
            return
        yield piece


def _joined(pieces: Iterable[_Piece]) -> str:
    said: list[str] = []
    before = ""
    for words, is_ours in pieces:
        mark = "\x01" if is_ours else ""
        if _APART.search(f"{before}\0{mark}{words[:3]}"):
            said.append(" ")
        said.append(words)
        before = words[-3:] + mark if words else before
    return "".join(said)


class _Reader:
    """Goes through the nodes of one template. Blocks nest 30 levels at most: the engine reads no more."""

    def __init__(self, text: Callable[[str], str]) -> None:
        self._text = text

    def all(self, nodes: Iterable[Node]) -> Iterator[_Piece]:
        """What all of these say, one after the other."""
        for node in nodes:
            yield from self._node(node)

    def _node(self, node: Node) -> Iterator[_Piece]:
        match node:
            case ContentNode():
                yield _Piece(self._text(node.text), is_ours=False)
            case OutputNode():
                yield from self._output(node.expression)
            case BlockNode():
                yield from self.all(node.nodes)
            case LiquidNode():
                yield from self._node(node.block)
            case IfNode() | UnlessNode():
                yield from self._branches(node)
            case CaseNode():
                yield from self._cases(node)
            case ForNode() | TablerowNode():
                yield from self._loop(node)
            case _:
                yield from (_Piece(f"[{words}]") for words in _plain_tag(node))

    def _output(self, expression: Expression) -> Iterator[_Piece]:
        read = expression.left if isinstance(expression, FilteredExpression) else expression
        match read:
            case StringLiteral():
                yield _Piece(self._text(read.value), is_ours=False)
            case Literal():
                yield _Piece(str(read), is_ours=False)
            case Nil() | Empty() | Blank():
                pass
            case _:
                yield _Piece(in_words(read))
        if isinstance(expression, FilteredExpression) and (beside := others(expression)):
            yield _Piece(beside)

    def _block(self, opening: str, body: Node) -> Iterator[_Piece]:
        yield _Piece(f"[{opening}:")
        yield from self._node(body)
        yield _END

    def _branches(self, node: IfNode | UnlessNode) -> Iterator[_Piece]:
        word = "if" if isinstance(node, IfNode) else "unless"
        yield from self._block(f"{word} {in_words(node.condition)}", node.consequence)
        for branch in node.alternatives:
            yield from self._block(f"otherwise, if {in_words(branch.expression)}", branch.block)
        if node.default:
            yield from self._block("otherwise", node.default)

    def _cases(self, node: CaseNode) -> Iterator[_Piece]:
        subject = in_words(node.expression)
        for block in node.blocks:
            if isinstance(block, MultiExpressionBlockNode):
                values = " or ".join(map(in_words, block.expression.expressions))
                yield from self._block(f"if {subject} is {values}", block.block)
            else:
                yield from self._block("otherwise", block)

    def _loop(self, node: ForNode | TablerowNode) -> Iterator[_Piece]:
        table = "" if isinstance(node, ForNode) else "in a table, "
        yield from self._block(f"{table}for {loop_in_words(node.expression)}", node.block)
        if isinstance(node, ForNode) and node.default:
            yield from self._block("if there are none", node.default)


def _plain_tag(node: Node) -> Iterator[str]:
    """What a tag without a body does; a comment does nothing."""
    match node:
        case AssignNode():
            yield f"{bold(node.name)} is {in_words(node.expression)}"
        case CycleNode():
            yield f"one of these in turn: {', '.join(map(in_words, node.args))}"
        case IncrementNode():
            yield f"{bold(node.name)}, counted up"
        case DecrementNode():
            yield f"{bold(node.name)}, counted down"
        case BreakNode():
            yield "stop here"
        case ContinueNode():
            yield "go on with the next"
