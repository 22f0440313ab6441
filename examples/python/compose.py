"""A Compose file becomes resources of the platform: containers, stages, variables, and notes about the rest."""

import pathlib
import tempfile

from orlop.compose import ComposeError, read_compose

COMPOSE = """
services:
  web:
    image: ghcr.io/acme/shop:${SHOP_VERSION:-1.4}
    ports: ["8080:80"]
    depends_on: {db: {condition: service_healthy}}
    environment: {DB_HOST: db, DB_PASSWORD: "${DB_PASSWORD:?is needed}"}
    logging: {driver: syslog}
  db:
    image: postgres:17
    volumes: ["data:/var/lib/postgresql/data"]
    healthcheck: {test: pg_isready, interval: 5s, retries: 10}
    user: "999"
volumes:
  data:
"""


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "compose.yaml")
        file.write_text(COMPOSE)
        try:
            read_compose(file, environment={}, name="shop")
        except ComposeError as error:
            print("refused:", error)
        platform = read_compose(file, environment={"DB_PASSWORD": "hush"}, name="shop").to_platform()
    for name, container in platform.data["containers"].items():
        print(f"{name}: {container['image_name']} {container['tag']} of {container['registry_id']}")
        print(f"  stage {container['deployment_stage']}, ports {container.get('ports', [])}")
        print(f"  secrets {[key for key, value in container.get('variables', {}).items() if value['is_secret']]}")
        print(f"  runtime {container['runtime']}")
    for note in platform.notes:
        print("note:", note)


main()
