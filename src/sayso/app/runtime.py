"""The app: what a door is given."""

from dataclasses import dataclass

from sayso.app.keys import Keys
from sayso.app.operations import Operations
from sayso.app.worker import Worker
from sayso.app.writer import Writer, unavailable
from sayso.ports import Store, StoreError, Transaction


@dataclass(frozen=True, kw_only=True)
class App:
    """A running sayso: operations for whoever asks, keys to tell who that is, and what works behind them."""

    operations: Operations
    keys: Keys
    worker: Worker
    writer: Writer
    store: Store

    async def ready(self) -> None:
        """Raise ``unavailable`` unless the store can be read and the writer answers."""

        async def look(transaction: Transaction) -> int:
            return await transaction.now()

        try:
            await self.store.now()
            await self.writer.change(look)
        except StoreError:
            raise unavailable() from None
