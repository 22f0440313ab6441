"""Serves an empty organization in virtual time, prints its address and a token as JSON, and ends when its input does.

`python tests/clients/served_platform.py`: for clients in other languages."""

from __future__ import annotations

import json
import sys

import orlop


def main() -> None:
    with orlop.Simulation(seed=1, authentication="required", rate_limit=0) as simulation:
        simulation.rules.add(after="2s")
        organization = simulation.organizations.create(name="acme", plan="FREE")
        made = simulation.request("POST", f"/organization/{organization.id}/apiToken", {"name": "client"}).check()
        with simulation.serve(speed=20) as url:
            print(json.dumps({"url": url, "token": made["token"], "organization": organization.id}), flush=True)
            sys.stdin.read()


if __name__ == "__main__":
    main()
