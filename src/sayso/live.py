"""The settings of a running process: what a reload changes is looked up here each time that it counts."""

from sayso.app.configured import Configured
from sayso.settings import Settings


class Live:
    """The settings that count now, and the keys among them."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.configured = Configured(settings.api_keys)

    def open_requests(self) -> int:
        """How many requests of a playbook may be open."""
        return self.settings.open_requests

    def change(self, settings: Settings) -> None:
        """Let other settings count."""
        self.settings = settings
        self.configured.replace(settings.api_keys)
