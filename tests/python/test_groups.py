"""Groups of labels and annotations as objects."""

from __future__ import annotations

from conftest import Platform


def test_group_lists_what_carries_it(platform: Platform) -> None:
    labels = platform.organization.labels_groups
    group = labels.create(name="costs", labels=[{"key": "team", "value": "shop", "propagate_to_cloud_provider": True}])
    assert group.associated_items() == []
    web = platform.container(labels_groups=[{"id": group.id}])
    items = group.associated_items()
    assert [(item["item_id"], item["item_type"]) for item in items] == [(web.id, "CONTAINER")]
    assert items[0]["environment_name"] == "production"


def test_edit_of_a_group_reaches_what_carries_it(platform: Platform) -> None:
    groups = platform.organization.annotations_groups
    group = groups.create(name="scraping", annotations=[{"key": "scrape", "value": "true"}], scopes=["PODS"])
    web = platform.container(annotations_groups=[{"id": group.id}])
    web.deploy().wait()
    group.edit(scopes=["PODS", "JOBS"])
    assert web.refresh().annotations_groups[0]["scopes"] == ["PODS", "JOBS"]
    assert web.status()["service_deployment_status"] == "OUT_OF_DATE"


def test_audit_log_has_authors_and_targets(platform: Platform) -> None:
    platform.container()
    path = f"/organization/{platform.organization.id}/events"
    newest = platform.engine.request("GET", path, query={"pageSize": 1}).json()["events"][0]
    assert (newest["event_type"], newest["target_type"], newest["target_name"]) == ("CREATE", "CONTAINER", "web")
