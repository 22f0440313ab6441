"""Measures how good predictions are: a store with 200 deployments, and before each of the later ones a prediction from
the ones before it.

Prints how often the actual duration lay within the predicted percentiles, and how many failures were predicted and
happened. The services have durations and failure rates that the prediction does not know.
"""

from __future__ import annotations

import argparse

import orlop
from orlop.models import Environment

SERVICES = {
    "web": (60, 0.4, 0.01),
    "api": (90, 0.3, 0.02),
    "worker": (45, 0.6, 0.05),
    "search": (150, 0.25, 0.01),
    "mail": (20, 0.5, 0.0),
}
LEVELS = (0.5, 0.8, 0.9, 0.95)
FIRST = 40  # deployments before the first prediction


def furnish(platform: orlop.Simulation) -> Environment:
    """Creates an environment whose services take random times and sometimes fail."""
    acme = platform.organizations.create(name="acme", plan="FREE")
    hub = acme.container_registries.create(name="docker hub", kind="DOCKER_HUB", config={})
    europe = acme.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS").deploy().wait()
    shop = acme.projects.create(name="shop").environments.create(name="production", cluster_id=europe.id)
    for name, (seconds, sigma, failures) in SERVICES.items():
        shop.containers.create(name=name, registry_id=hub.id, image_name=f"acme/{name}", tag="1.0.0", healthchecks={})
        platform.rules.add(step="deploy", name=name, after=orlop.lognormal(seconds, sigma=sigma))
        if failures:
            platform.rules.add(
                step="deploy",
                name=name,
                after=orlop.exponential(20),
                fails="the health check failed",
                probability=failures,
            )
    return shop


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--deployments", type=int, default=200, help="deployments of the store (default: %(default)s)")
    parser.add_argument("--every", type=int, default=1, help="predict each so manieth (default: %(default)s)")
    parser.add_argument("--runs", type=int, default=200, help="simulated runs of a prediction (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=7, help="seed of the store (default: %(default)s)")
    given = parser.parse_args()
    within, total, predicted, happened = dict.fromkeys(LEVELS, 0), 0, 0.0, 0
    with orlop.Simulation(seed=given.seed) as platform:
        shop = furnish(platform)
        for number in range(given.deployments):
            prediction = (
                shop.predict(runs=given.runs) if number >= FIRST and (number - FIRST) % given.every == 0 else None
            )
            run = shop.deploy().wait()
            if prediction is None:
                continue
            total += 1
            happened += not run.ok
            predicted += prediction.failure.estimate
            for level in LEVELS:
                within[level] += prediction.chance_within(run.duration - 0.001) < level
    print(f"{given.deployments} deployments, {total} predictions of {given.runs} runs each, seed {given.seed}")
    for level in LEVELS:
        print(
            f"within the predicted {level:4.0%} {within[level]:6} of {total:4} {within[level] / total:7.0%}".replace(
                "%", " %"
            )
        )
    print(f"failures {predicted:8.1f} predicted, {happened} happened")


if __name__ == "__main__":
    main()
