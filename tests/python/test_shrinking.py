"""Edits that a cluster cannot carry out are refused after the service was deployed."""

from __future__ import annotations

from typing import Any

import pytest

import orlop
from conftest import Platform


@pytest.fixture
def shop() -> Any:
    with Platform() as platform:
        environment = platform.create_all().environment
        web = platform.container(storage=[{"mount_point": "/d", "size": 10, "type": "FAST_SSD"}])
        environment.databases.create(name="orders", type="POSTGRESQL", version="16", mode="CONTAINER", storage=20)
        yield platform.simulation, environment, web


def shrink(web: Any, named: bool) -> None:
    volume = {"mount_point": "/d", "size": 5, "type": "FAST_SSD"}
    web.refresh()
    web.edit(storage=[{"id": web.storage[0]["id"], **volume} if named else volume])


@pytest.mark.parametrize("named", [True, False])
def test_a_volume_shrinks_only_where_there_is_none(shop: Any, named: bool) -> None:
    _, environment, web = shop
    shrink(web, named)
    web.edit(storage=[{"mount_point": "/d", "size": 10, "type": "FAST_SSD"}])
    environment.deploy().wait()
    with pytest.raises(
        orlop.Invalid, match="storage\\[0\\].size must be at least 10, the size of the existing volume, not 5"
    ):
        shrink(web, named)
    web.stop().wait()
    with pytest.raises(orlop.Invalid):
        shrink(web, named)
    web.edit(storage=[{"mount_point": "/d", "size": 11, "type": "FAST_SSD"}])
    web.uninstall().wait()
    shrink(web, named)
    # The copy was never deployed.
    environment.deploy().wait()
    copy = web.clone(name="copy")
    copy.edit(storage=[{"mount_point": "/d", "size": 1, "type": "FAST_SSD"}])


def test_a_deployment_that_failed_may_have_made_the_volume(shop: Any) -> None:
    platform, environment, web = shop
    platform.rules.add(step="deploy", name="web", fails="no")
    environment.deploy().wait()
    with pytest.raises(orlop.Invalid):
        shrink(web, True)


def test_a_database_neither_shrinks_nor_goes_back(shop: Any) -> None:
    _, environment, _ = shop
    (orders,) = environment.databases
    orders.edit(version="15", storage=10)
    environment.deploy().wait()
    for change in ({"storage": 9}, {"version": "14"}, {"type": "MYSQL"}):
        with pytest.raises(orlop.Invalid):
            orders.edit(**change)
    orders.edit(version="16", storage=11)
