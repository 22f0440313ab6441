"""The servers that http_bench.py measures, one in each process: `http_servers.py ours|asgi|null|fastapi FILE` prints
its address and the ids in it as JSON. `ours` is the server of `orlop serve`; the others run under uvicorn with the same
settings. Data is stored durably in FILE."""

import json
import socket
import sys
import uuid
from typing import Any

import uvicorn

CLUSTER = {"name": "europe", "region": "eu-west-3", "cloud_provider": "AWS"}


def furnished(file: str) -> tuple[Any, dict[str, str]]:
    import orlop

    engine = orlop.Engine(file)
    organization = engine.organizations.create(name="acme", plan="FREE")
    cluster = organization.clusters.create(**CLUSTER)
    return engine, {"organization": organization.id, "cluster": cluster.id}


def serve(file: str) -> None:
    """Serves the engine with the server of `orlop serve`."""
    from orlop.serving.server import Server

    engine, ids = furnished(file)
    server = Server(engine)
    print(json.dumps({"port": int(server.url.rpartition(":")[2]), **ids}), flush=True)
    server.run()


def asgi(file: str) -> tuple[Any, dict[str, str]]:
    """Returns the engine as an ASGI application."""
    from orlop import asgi

    engine, ids = furnished(file)
    return asgi.app(engine), ids


def null(file: str) -> tuple[Any, dict[str, str]]:
    """Returns an application that reads the body and answers with a constant kilobyte."""
    start = {
        "type": "http.response.start",
        "status": 200,
        "headers": [(b"content-type", b"application/json"), (b"content-length", b"1024")],
    }
    end = {"type": "http.response.body", "body": b"x" * 1024}

    async def application(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return
        while (await receive()).get("more_body"):
            pass
        await send(start)
        await send(end)

    return application, {"organization": "0", "cluster": "0"}


def records(file: str) -> tuple[Any, Any]:
    """Returns a database of SQLAlchemy on an SQLite file, as durable as ours, and the class of its records."""
    from sqlalchemy import JSON, String, create_engine, event
    from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

    class Base(DeclarativeBase):
        pass

    class Record(Base):
        __tablename__ = "record"
        id: Mapped[str] = mapped_column(String, primary_key=True)
        family: Mapped[str] = mapped_column(String, index=True)
        parent: Mapped[str] = mapped_column(String, index=True)
        name: Mapped[str] = mapped_column(String, unique=True)
        body: Mapped[Any] = mapped_column(JSON)

    database = create_engine(f"sqlite:///{file}")

    @event.listens_for(database, "connect")
    def durable(connection: Any, _: Any) -> None:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")

    Base.metadata.create_all(database)
    return database, Record


def fastapi(file: str) -> tuple[Any, dict[str, str]]:
    """Returns the hand-written alternative: FastAPI, SQLAlchemy and SQLite, with the same resource and durability."""
    from fastapi import FastAPI, HTTPException
    from pydantic import BaseModel, Field
    from sqlalchemy import select
    from sqlalchemy.exc import IntegrityError
    from sqlalchemy.orm import Session

    class Repository(BaseModel):
        name: str = Field(min_length=1, max_length=255)
        kind: str
        url: str
        skip_tls_verification: bool
        config: dict[str, str]
        description: str = ""

    database, record = records(file)
    organization, cluster = str(uuid.uuid4()), str(uuid.uuid4())
    with Session(database) as session:
        body = {**CLUSTER, "status": "READY", "is_deployed": False}
        session.add(record(id=cluster, family="cluster", parent=organization, name="europe", body=body))
        session.commit()
    application = FastAPI()

    @application.get("/organization/{organization}/cluster")
    def list_clusters(organization: str) -> dict[str, Any]:
        with Session(database) as session:
            found = session.scalars(select(record).where(record.parent == organization, record.family == "cluster"))
            return {"results": [{"id": one.id, **one.body} for one in found]}

    @application.get("/organization/{organization}/cluster/{id}/status")
    def status(organization: str, id: str) -> dict[str, Any]:
        with Session(database) as session:
            found = session.get(record, id)
            if found is None or found.parent != organization:
                raise HTTPException(404)
            return {"cluster_id": id, "status": found.body["status"], "is_deployed": found.body["is_deployed"]}

    @application.post("/organization/{organization}/helmRepository", status_code=201)
    def create(organization: str, given: Repository) -> dict[str, Any]:
        made = record(
            id=str(uuid.uuid4()), family="repository", parent=organization, name=given.name, body=given.model_dump()
        )
        with Session(database) as session:
            session.add(made)
            try:
                session.commit()
            except IntegrityError:
                raise HTTPException(409) from None
            return {"id": made.id, **made.body}

    return application, {"organization": organization, "cluster": cluster}


def main() -> None:
    if sys.argv[1] == "ours":
        serve(sys.argv[2])
        return
    application, ids = {"asgi": asgi, "null": null, "fastapi": fastapi}[sys.argv[1]](sys.argv[2])
    listener = socket.create_server(("127.0.0.1", 0), backlog=2048)
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    print(json.dumps({"port": listener.getsockname()[1], **ids}), flush=True)
    uvicorn.Server(uvicorn.Config(application, log_level="error", access_log=False, ws="none")).run(sockets=[listener])


if __name__ == "__main__":
    main()
