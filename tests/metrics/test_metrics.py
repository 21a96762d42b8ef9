"""Metrics: what was done is counted, how the store stands is read, and no label is anybody's words."""

import dataclasses
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, NamedTuple, cast

import httpx2
import pytest
from prometheus_client.parser import text_string_to_metric_families
from starlette.types import ASGIApp

from sayso import compose
from sayso.app.runtime import App
from sayso.metrics.door import MetricsDoor
from sayso.metrics.figures import Figures
from sayso.ports import CommitUnknown, Store
from sayso.settings import Settings
from tests import stores
from tests.http.served import RUN, Served

pytestmark = pytest.mark.anyio


class Scraped(NamedTuple):
    """A server, and the door of its metrics."""

    served: Served
    app: App
    metrics: httpx2.AsyncClient

    async def value(self, name: str, **labels: str) -> float | None:
        """The value of one sample."""
        reply = await self.metrics.get("/metrics")
        assert reply.status_code == 200
        for family in text_string_to_metric_families(reply.text):
            for sample in family.samples:
                if sample.name == name and sample.labels == labels:
                    return sample.value
        return None


def client(door: ASGIApp) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(transport=httpx2.ASGITransport(door), base_url="http://localhost:8080")


@asynccontextmanager
async def scraped() -> AsyncIterator[Scraped]:
    """A server whose metrics are read; nothing works in the background."""
    figures = Figures()
    async with stores.running(Settings(), work=False, figures=figures) as app:
        door = compose.http_app(app, Settings(), figures.observe)
        async with client(door) as asking, client(MetricsDoor(app, figures, fresh_s=0)) as metrics:
            yield Scraped(Served(app, door, asking), app, metrics)


async def test_requests_answers_and_commits_are_counted() -> None:
    async with scraped() as world:
        key = await world.served.key()
        await world.served.set_up("acme", key)
        assert await world.value("sayso_requests_open") == 1
        await world.served.perform("answer_interaction", key, run_id=RUN, answer={"verdict": "approve"})
        assert await world.value("sayso_requests_open") == 0
        assert await world.value("sayso_requests_opened_total") == 1
        assert await world.value("sayso_requests_answered_total") == 1
        assert await world.value("sayso_requests_expired_total") == 0
        assert await world.value("sayso_http_requests_total", operation="answer_interaction", status="200") == 1
        assert await world.value("sayso_http_request_seconds_count", operation="run_definition") == 1
        assert await world.value("sayso_writer_batch_units_count") == 3
        assert await world.value("sayso_events_total") == 5


async def test_how_the_store_stands_is_told() -> None:
    async with scraped() as world:
        assert await world.value("sayso_store_readable") == 1
        assert (await world.value("sayso_store_bytes") or 0) > 0
        assert await world.value("sayso_due_lag_seconds") == 0
        assert await world.value("sayso_worker_looks_total") == 0
        assert (await world.value("process_resident_memory_bytes") or 0) > 0


async def test_no_label_is_what_anybody_wrote() -> None:
    async with scraped() as world:
        await world.served.ask("GET", "/canary-7f3a")
        await world.served.ask("CANARY", "/v1/orgs/canary-7f3a/playbooks", key="canary")
        assert "canary" not in (await world.metrics.get("/metrics")).text.lower()


class Away:
    """A store that is away, and else as it was."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def now(self) -> int:
        raise CommitUnknown("away")


async def test_a_store_that_cannot_be_read_is_told_and_nothing_else_is_lost() -> None:
    async with scraped() as world:
        figures = Figures()
        app = dataclasses.replace(world.app, store=cast("Store", Away(world.app.store)))
        async with client(MetricsDoor(app, figures)) as metrics:
            said = (await metrics.get("/metrics")).text
    assert "sayso_store_readable 0.0" in said
    assert "sayso_requests_open " not in said
    assert "sayso_worker_looks_total 0.0" in said


@pytest.mark.parametrize(
    ("method", "path", "status"), [("GET", "/", 404), ("POST", "/metrics", 405), ("HEAD", "/metrics", 200)]
)
async def test_there_is_one_path_and_it_is_only_read(method: str, path: str, status: int) -> None:
    async with scraped() as world:
        reply = await world.metrics.request(method, path)
    assert reply.status_code == status
    assert method != "HEAD" or reply.content == b""
