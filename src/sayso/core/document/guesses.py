"""What authors write for a key of the format, or beside those that there are, where no likeness of letters tells."""

from collections.abc import Mapping

# What others call a key, and the keys that may be meant: the first that its block takes and has not got yet.
ALSO: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("args", "arguments", "params", "parameters", "input", "inputs"), ("with",)),
    **dict.fromkeys(("timeout", "deadline", "ttl", "due"), ("expires",)),
    **dict.fromkeys(("party", "recipient", "assignee", "owner"), ("to",)),
    **dict.fromkeys(("reply_to", "answerer", "approver"), ("from",)),
    **dict.fromkeys(("from", "user", "author"), ("sender",)),
    **dict.fromkeys(("url", "host", "service"), ("server",)),
    **dict.fromkeys(("method", "function", "action"), ("tool",)),
    **dict.fromkeys(("channel", "room", "thread"), ("conversation",)),
    **dict.fromkeys(("interval", "every", "poll"), ("wait",)),
    **dict.fromkeys(("body", "content", "message"), ("text",)),
    **dict.fromkeys(("ts", "message_id"), ("id",)),
    "messages": ("list",),
    "sort": ("order",),
}

OF_MESSAGE = frozenset({"message", "body", "text", "prompt", "question"})

_FIRST = "Begin the message with it, below the line of dashes that ends these fields."
_NO_MODEL = "No model is asked: leave it out."
_ARGUMENT = "Where the message goes is an argument of the tool that sends it: write it in deliver, under with."
_ENUM = "The answers to choose from are the enum of a property in output.schema."

# What no function document has at its top, and where it belongs.
AT_TOP: Mapping[str, str] = {
    **dict.fromkeys(("title", "subject"), _FIRST),
    **dict.fromkeys(("model", "config", "tools", "language", "temperature"), _NO_MODEL),
    **dict.fromkeys(("channel", "room"), _ARGUMENT),
    **dict.fromkeys(("options", "choices", "answers", "buttons"), _ENUM),
    "name": "A name is given when the document is saved: leave it out.",
    "type": "Its other fields say what a function does: leave it out.",
    "version": "Versions are counted as they are saved: leave it out.",
}
