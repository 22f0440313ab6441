"""The bare side of several deployments at once: DBOS, a library for durable workflows in PostgreSQL. A deployment is a
workflow with one step for each service; a step does nothing, like the driver of the other side."""

from __future__ import annotations

from typing import Any

AT_ONCE = 32  # threads of the library


class Workflows:
    """Raises ImportError if DBOS is not installed."""

    def __init__(self, url: str, services: int) -> None:
        from dbos import DBOS

        self._dbos: Any = DBOS
        DBOS(
            config={
                "name": "bench",
                "system_database_url": url,
                "max_executor_threads": AT_ONCE,
                "log_level": "ERROR",
                "sys_db_pool_size": AT_ONCE,
            }
        )

        @DBOS.step()
        def deploy_service(environment: int, service: int) -> int:
            return service

        @DBOS.workflow()
        def deploy_environment(environment: int) -> int:
            for service in range(services):
                deploy_service(environment, service)
            return services

        self._deploy: Any = deploy_environment
        DBOS.launch()

    def deploy(self, environments: int) -> None:
        handles = [self._dbos.start_workflow(self._deploy, environment) for environment in range(environments)]
        for handle in handles:
            handle.get_result()

    def end(self) -> None:
        self._dbos.destroy()
