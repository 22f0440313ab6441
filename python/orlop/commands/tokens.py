"""The commands `orlop token create`, `list` and `revoke`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import Misuse, NotFound
from .files import add_secret_key, is_store, opened
from .output import json_text
from .read_only import opened_to_read

if TYPE_CHECKING:
    import argparse

    from ..engine.engine import Engine
    from ..generated.models import Organization


def add(commands: Any) -> None:
    token = commands.add_parser(
        "token",
        help="make, list and revoke tokens for programs",
        description="Tokens, with which programs prove who they are.",
    )
    below = token.add_subparsers(title="commands", required=True, metavar="COMMAND")
    made = below.add_parser(
        "create", help="make one and print it", description="Makes a token and prints it, this once."
    )
    made.add_argument("store", metavar="STORE", help="the path of an SQLite file; it is made if it is not there")
    made.add_argument(
        "--organization", required=True, metavar="NAME", help="whose; it is made if there is none of that name"
    )
    made.add_argument("--name", required=True, help="what the token is called")
    made.add_argument("--role", metavar="ID", help="the id of its role (default: the one that administers)")
    made.add_argument(
        "--brand",
        metavar="NAME",
        help="the name of the platform, as the engine on the store has it (default: platform)",
    )
    add_secret_key(made)
    made.set_defaults(run=create)
    listed = below.add_parser(
        "list", help="print the tokens of an organization", description="Prints the tokens, without their values."
    )
    _add_store(listed)
    listed.add_argument("--json", action="store_true", help="each token as one line of JSON")
    listed.set_defaults(run=list_all)
    revoked = below.add_parser(
        "revoke", help="delete one", description="Deletes a token: requests with it are refused from then on."
    )
    _add_store(revoked)
    revoked.add_argument("token", metavar="TOKEN", help="its id or its name")
    revoked.set_defaults(run=revoke)


def _add_store(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("store", metavar="STORE", help="the path of an SQLite file, or postgresql://…")
    parser.add_argument("--organization", required=True, metavar="NAME", help="whose")
    add_secret_key(parser)


def create(given: argparse.Namespace) -> int:
    from ..engine.engine import Engine

    brand = {} if given.brand is None else {"brand": given.brand}
    if not is_store(given.store):
        with Engine(**brand) as tried:  # so that a refused token creates no file
            _made(tried, given)
    with opened(given, makes_one=True, **brand) as engine:
        print(_made(engine, given))
    return 0


def _made(engine: Engine, given: argparse.Namespace) -> str:
    """Returns a new token. Creates its organization, if there is none, in the same transaction."""
    body = {"name": given.name, **({"role_id": given.role} if given.role else {})}
    with engine.batch() as batch:
        try:
            organization = batch.organizations.find(given.organization)
        except NotFound:
            organization = batch.organizations.create(name=given.organization, plan="FREE")
        token: str = batch.request("POST", _path(organization), body).check()["token"]
    return token


def list_all(given: argparse.Namespace) -> int:
    with opened_to_read(given) as engine:
        for token in _tokens(engine, engine.organizations.find(given.organization)):
            role = token.get("role_name") or ""
            print(
                json_text(token) if given.json else f"{token['id']}  {token['created_at']}  {role:<12} {token['name']}"
            )
    return 0


def revoke(given: argparse.Namespace) -> int:
    """Deletes the token with this id or name."""
    with opened(given) as engine:
        organization = engine.organizations.find(given.organization)
        found = [token for token in _tokens(engine, organization) if given.token in (token["id"], token["name"])]
        if not found:
            raise NotFound(f"the organization {given.organization} has no token {given.token}", 404)
        if len(found) > 1:
            raise Misuse(f"{len(found)} tokens have the name {given.token}: give the id")
        engine.request("DELETE", f"{_path(organization)}/{found[0]['id']}").check()
    return 0


def _path(organization: Organization) -> str:
    return f"/organization/{organization.id}/apiToken"


def _tokens(engine: Engine, organization: Organization) -> list[dict[str, Any]]:
    results: list[dict[str, Any]] = engine.request("GET", _path(organization)).check()["results"]
    return results
