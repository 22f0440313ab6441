"""Repeats a request after a lost answer, and refuses a change that would overwrite another one."""

import orlop

with orlop.Simulation(seed=7) as platform:
    acme = platform.organizations.create(name="acme", plan="FREE")
    projects = f"/organization/{acme.id}/project"

    # The answer to the first request was lost; the caller repeats it with the same key.
    first, second = (
        platform.request("POST", projects, {"name": "shop"}, {"Idempotency-Key": "order-4711"}) for _ in range(2)
    )
    print(
        first.status,
        second.status,
        first.body == second.body,
        second.headers["idempotency-replayed"],
        len(acme.projects),
    )

    # Two callers read the project. The second one to write sees that it has changed meanwhile.
    path = f"/project/{first.json()['id']}"
    etag = platform.request("GET", path).headers["etag"]
    for name in ("store", "market"):
        reply = platform.request("PUT", path, {"name": name}, {"If-Match": etag})
        print(reply.status, reply.headers.get("etag"), reply.json().get("message"))
