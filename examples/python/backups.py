"""A backup of a store that is in use, and its restoration."""

import os
import tempfile

import orlop

os.chdir(tempfile.mkdtemp())
with orlop.Engine("platform.db") as engine:
    organization = engine.organizations.create(name="acme", plan="FREE")
    organization.projects.create(name="shop")
    orlop.backup("platform.db", "backup.db")  # blocks no reader or writer
    organization.projects.create(name="mistake")

before = orlop.restore("platform.db", "backup.db")  # no process has the store open
with orlop.Engine("platform.db") as engine:
    print([project.name for project in engine.organizations.find("acme").projects])
print("what was there:", before)
