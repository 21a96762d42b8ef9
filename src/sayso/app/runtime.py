"""The app: what a door is given."""

from dataclasses import dataclass

from sayso.app.answer_tokens import AnswerTokens
from sayso.app.keys import Keys
from sayso.app.notices.notifier import Notifier
from sayso.app.operations import Operations
from sayso.app.reference import Reference
from sayso.app.retention import Retention
from sayso.app.units.worker import Worker
from sayso.app.units.writer import Writer
from sayso.app.uses import Uses
from sayso.errors import unavailable
from sayso.ports import Store


@dataclass(frozen=True, kw_only=True)
class App:
    """A running sayso: operations for whoever asks, keys and tokens to tell who that is, and what works behind them."""

    operations: Operations
    keys: Keys
    tokens: AnswerTokens
    uses: Uses
    worker: Worker
    writer: Writer
    store: Store
    reference: Reference
    notifier: Notifier | None
    retention: Retention | None

    async def ready(self) -> None:
        """Raise ``unavailable`` unless the store takes a write, no commit failed in the last seconds, and the worker,
        where there is one, keeps working."""
        if self.worker.stalled or self.writer.failing:
            raise unavailable()
        await self.writer.change(lambda transaction: transaction.execute("prove_writable"))
