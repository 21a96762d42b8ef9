"""From a document to a function: reads it, checks every field, and reports all that is wrong at once."""

from dataclasses import replace

from sayso.core.document import front_matter
from sayso.core.document.call import call_function
from sayso.core.document.checks import Checks
from sayso.core.document.faults import Faulty, issues_of, problem_of
from sayso.core.document.function import CallFunction, Function, RequestFunction
from sayso.core.document.keys import Shape
from sayso.core.document.request import request_function
from sayso.core.document.warnings import warn

__all__ = ["CallFunction", "Function", "RequestFunction", "parse"]


def parse(source: str, *, name: str = "") -> Function:
    """The function that a document is. Raises Problem, ``invalid_input``, with every fault by its line.

    Pure and bounded: at most a second for any text, and nothing of it is run. ``name`` is the definition's.
    """
    try:
        checks = Checks(front_matter.read(source))
    except Faulty as refusal:
        raise problem_of(refusal.faults) from None
    function = call_function(checks, name) if checks.shape is Shape.CALL else request_function(checks, name)
    if checks.faults or function is None:
        raise problem_of(checks.faults)
    warn(checks, function)
    return replace(function, warnings=issues_of(checks.doubts))
