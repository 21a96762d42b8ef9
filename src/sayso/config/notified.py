"""Who is told of new requests, as a setting: the URL of a webhook, or of a mail server with addresses."""

from typing import Any

from sayso.config.kinds import Kind
from sayso.config.refusal import Unfit
from sayso.target import NotATarget, Target, target


class Notified(Kind):
    """A target. It may hold a password, and is shown without."""

    def from_text(self, text: str) -> Target:
        """The target that the URL names."""
        try:
            return target(text)
        except NotATarget as fault:
            raise Unfit(str(fault)) from None

    def shown(self, value: Any) -> str:
        """The place alone."""
        assert isinstance(value, Target)
        return value.shown
