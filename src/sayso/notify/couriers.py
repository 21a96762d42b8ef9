"""The courier of a target."""

from sayso.app.notices.notice import Courier
from sayso.notify.mail import Mail
from sayso.notify.webhook import Webhook, secret_of
from sayso.ports import Clock
from sayso.target import Target, WebhookTarget


def courier(target: Target, store_secret: bytes, clock: Clock, *, allows_private: bool) -> Courier:
    """What brings notices there; a webhook's secret is made of the store's."""
    if isinstance(target, WebhookTarget):
        return Webhook(target, secret_of(store_secret, target), clock, allows_private=allows_private)
    return Mail(target)
