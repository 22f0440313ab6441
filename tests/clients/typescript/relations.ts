// What lies beside a service: variables in both forms, settings, custom domains, restrictions, the kubeconfig, metadata.
import type { Client } from "openapi-fetch";
import type { paths } from "./schema.js";

// What the request gave, or the end: a refusal of the platform, or of the proxy that holds both sides against the description.
export function got<T>(answer: { data?: T; error?: unknown; response: Response }): T {
  if (answer.data === undefined || answer.error !== undefined) {
    throw new Error(`${answer.response.status} ${answer.response.url}: ${JSON.stringify(answer.error)}`);
  }
  return answer.data;
}

function expect(what: string, value: unknown, wanted: unknown): void {
  if (JSON.stringify(value) !== JSON.stringify(wanted)) throw new Error(`${what} is ${JSON.stringify(value)}, not ${JSON.stringify(wanted)}`);
}

function gone(answer: { response: Response }): void {
  expect(`the deletion at ${answer.response.url}`, answer.response.status, 204);
}

export interface Known {
  organizationId: string;
  projectId: string;
  environmentId: string;
  clusterId: string;
  containerId: string;
}

type Platform = Client<paths>;

async function variables(client: Platform, { projectId, containerId }: Known): Promise<void> {
  const wide = { is_secret: false, variable_scope: "PROJECT", variable_parent_id: projectId } as const;
  const near = { is_secret: true, variable_scope: "CONTAINER", variable_parent_id: containerId } as const;
  const level = got(await client.POST("/variable", { body: { key: "LOG_LEVEL", value: "info", ...wide } }));
  const secret = got(await client.POST("/variable", { body: { key: "TOKEN", value: "hidden", description: "of the mailer", ...near } }));
  expect("the value of a secret", secret.value, null);
  const aliased = { params: { path: { variableId: secret.id } }, body: { key: "MAIL_TOKEN", alias_scope: near.variable_scope, alias_parent_id: containerId } };
  const alias = got(await client.POST("/variable/{variableId}/alias", aliased));
  expect("what an alias names", alias.aliased_variable?.key, "TOKEN");
  const overridden = { params: { path: { variableId: level.id } }, body: { value: "debug", override_scope: near.variable_scope, override_parent_id: containerId } };
  const override = got(await client.POST("/variable/{variableId}/override", overridden));
  expect("the type of an override", override.variable_type, "OVERRIDE");
  const edited = got(await client.PUT("/variable/{variableId}", { params: { path: { variableId: level.id } }, body: { key: "LOG_LEVEL", value: "warn" } }));
  expect("the edited value", edited.value, "warn");
  const query = { parent_id: containerId, scope: "CONTAINER" } as const;
  const seen = got(await client.GET("/variable", { params: { query } })).results ?? [];
  const own = seen.filter((one) => one.scope !== "BUILT_IN").map((one) => one.key);
  expect("what a container sees", own.sort(), ["LOG_LEVEL", "LOG_LEVEL", "MAIL_TOKEN", "TOKEN"]);
  const vars = [{ name: "IMPORTED", value: "1", scope: "CONTAINER", is_secret: false } as const];
  const service = { service_id: containerId, service_type: "CONTAINER" } as const;
  got(await client.POST("/variable/import", { params: { query: service }, body: { overwrite: true, vars } }));
  gone(await client.DELETE("/variable/{variableId}", { params: { path: { variableId: secret.id } } }));
}

async function olderForms(client: Platform, { containerId }: Known): Promise<void> {
  const path = { containerId };
  const made = got(await client.POST("/container/{containerId}/environmentVariable", { params: { path }, body: { key: "PORT", value: "8080" } }));
  const one = { params: { path: { containerId, environmentVariableId: made.id } } };
  got(await client.PUT("/container/{containerId}/environmentVariable/{environmentVariableId}", { ...one, body: { key: "PORT", value: "8081" } }));
  got(await client.GET("/container/{containerId}/environmentVariable", { params: { path } }));
  got(await client.POST("/container/{containerId}/secret", { params: { path }, body: { key: "PASSWORD", value: "hidden" } }));
  got(await client.GET("/container/{containerId}/secret", { params: { path } }));
  gone(await client.DELETE("/container/{containerId}/environmentVariable/{environmentVariableId}", one));
}

async function settings(client: Platform, { organizationId, clusterId, containerId }: Known): Promise<void> {
  const container = { params: { path: { containerId } } };
  const advanced = got(await client.GET("/container/{containerId}/advancedSettings", container));
  const grace = "deployment.termination_grace_period_seconds";
  const changed = got(await client.PUT("/container/{containerId}/advancedSettings", { ...container, body: { ...advanced, [grace]: 90 } }));
  expect(grace, changed[grace], 90);
  got(await client.PUT("/container/{containerId}/network", { ...container, body: { sticky_session: true } }));
  got(await client.GET("/container/{containerId}/network", container));
  got(await client.GET("/defaultContainerAdvancedSettings"));
  const cluster = { params: { path: { organizationId, clusterId } } };
  got(await client.GET("/organization/{organizationId}/cluster/{clusterId}/advancedSettings", cluster));
  const routes = [{ destination: "10.30.0.0/16", target: "pcx-1", description: "peering" }];
  got(await client.PUT("/organization/{organizationId}/cluster/{clusterId}/routingTable", { ...cluster, body: { routes } }));
  const table = got(await client.GET("/organization/{organizationId}/cluster/{clusterId}/routingTable", cluster));
  expect("the routing table", table.results, routes);
}

async function domains(client: Platform, { containerId, environmentId, projectId }: Known): Promise<void> {
  const container = { params: { path: { containerId } } };
  const body = { domain: "shop.example.com", generate_certificate: true };
  const made = got(await client.POST("/container/{containerId}/customDomain", { ...container, body }));
  const one = { params: { path: { containerId, customDomainId: made.id } } };
  got(await client.GET("/container/{containerId}/customDomain/{customDomainId}", one));
  got(await client.PUT("/container/{containerId}/customDomain/{customDomainId}", { ...one, body: { ...body, use_cdn: true } }));
  got(await client.GET("/container/{containerId}/customDomain/{customDomainId}/status", one));
  got(await client.GET("/container/{containerId}/customDomain", container));
  got(await client.GET("/container/{containerId}/link", container));
  gone(await client.DELETE("/container/{containerId}/customDomain/{customDomainId}", one));
  got(await client.GET("/environment/{environmentId}/services", { params: { path: { environmentId } } }));
  const renamed = got(await client.PUT("/project/{projectId}", { params: { path: { projectId } }, body: { name: "shop", metadata: { team: "web" } } }));
  expect("the metadata", renamed.metadata, { team: "web" });
}

export async function relations(client: Platform, known: Known): Promise<void> {
  await variables(client, known);
  await olderForms(client, known);
  await settings(client, known);
  await domains(client, known);
}
