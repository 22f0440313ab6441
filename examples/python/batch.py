"""Several requests in one transaction: all of them take effect, or none."""

import orlop

with orlop.Engine() as engine:
    with engine.batch() as batch:
        organization = batch.organizations.create(name="acme", plan="FREE")
        organization.projects.create(name="shop", metadata={"customer": "17"})

    try:
        with engine.batch() as batch:
            batch.organizations.create(name="other", plan="FREE")
            batch.organizations.create(name="acme", plan="FREE")  # the name is taken
    except orlop.Conflict as error:
        print(error)
    print([organization.name for organization in engine.organizations])
