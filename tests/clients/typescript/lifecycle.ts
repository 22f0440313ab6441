// A platform from its first cluster to its deletion, with a client whose types come from the description.
// usage: tsx lifecycle.ts URL TOKEN ORGANIZATION
import createClient from "openapi-fetch";
import { got, relations } from "./relations.js";
import type { paths } from "./schema.js";

const [url, token, organizationId] = process.argv.slice(2) as [string, string, string];
const client = createClient<paths>({ baseUrl: url, headers: { Authorization: `Token ${token}` } });

async function until<T>(read: () => Promise<T>, isDone: (value: T) => boolean): Promise<T> {
  for (let attempt = 0; attempt < 1000; ++attempt) {
    const value = await read();
    if (isDone(value)) return value;
  }
  throw new Error("it did not come to an end");
}

const organization = { path: { organizationId } };
const registry = got(
  await client.POST("/organization/{organizationId}/containerRegistry", {
    params: organization,
    body: { name: "docker hub", kind: "DOCKER_HUB", config: {} },
  }),
);
const cluster = got(
  await client.POST("/organization/{organizationId}/cluster", {
    params: organization,
    body: { name: "europe", region: "eu-west-3", cloud_provider: "AWS" },
  }),
);
const oneCluster = { params: { path: { organizationId, clusterId: cluster.id } } };
got(await client.POST("/organization/{organizationId}/cluster/{clusterId}/deploy", oneCluster));
await until(
  async () => got(await client.GET("/organization/{organizationId}/cluster/{clusterId}/status", oneCluster)),
  (status) => status.status === "DEPLOYED",
);

const project = got(
  await client.POST("/organization/{organizationId}/project", { params: organization, body: { name: "shop" } }),
);
const environment = got(
  await client.POST("/project/{projectId}/environment", {
    params: { path: { projectId: project.id } },
    body: { name: "production", cluster: cluster.id },
  }),
);
const inEnvironment = { params: { path: { environmentId: environment.id } } };
const database = got(
  await client.POST("/environment/{environmentId}/database", {
    ...inEnvironment,
    body: { name: "orders", type: "POSTGRESQL", version: "16", mode: "CONTAINER" },
  }),
);
const image = { name: "web", registry_id: registry.id, image_name: "acme/web", tag: "1.0.0", healthchecks: {} };
const container = got(
  await client.POST("/environment/{environmentId}/container", {
    ...inEnvironment,
    body: image,
  }),
);
const oneContainer = { params: { path: { containerId: container.id } } };

async function environmentIs(state: string): Promise<void> {
  await until(
    async () => got(await client.GET("/environment/{environmentId}/status", inEnvironment)),
    (status) => status.state === state,
  );
}

await relations(client, {
  organizationId,
  projectId: project.id,
  environmentId: environment.id,
  clusterId: cluster.id,
  containerId: container.id,
});
got(await client.POST("/environment/{environmentId}/deploy", inEnvironment));
await environmentIs("DEPLOYED");
got(await client.GET("/environment/{environmentId}/statuses", inEnvironment));
got(await client.GET("/environment/{environmentId}/deploymentHistoryV2", inEnvironment));
got(await client.GET("/environment/{environmentId}/deploymentStage", inEnvironment));
got(await client.GET("/organization/{organizationId}/events", { params: organization }));
const listed = got(
  await client.GET("/environment/{environmentId}/container", {
    params: { path: { environmentId: environment.id }, query: { page: 1, page_size: 10 } },
  }),
);
if (listed.results.map((one) => one.id).join() !== container.id) throw new Error("the list holds something else");
got(
  await client.PUT("/container/{containerId}", {
    ...oneContainer,
    body: { ...image, tag: "1.0.1" },
  }),
);
const stale = got(await client.GET("/container/{containerId}/status", oneContainer));
if (stale.service_deployment_status !== "OUT_OF_DATE") throw new Error(`it is ${stale.service_deployment_status}`);
got(await client.POST("/container/{containerId}/deploy", { ...oneContainer, body: { image_tag: "1.0.1" } }));
await environmentIs("DEPLOYED");
got(await client.POST("/environment/{environmentId}/stop", inEnvironment));
await environmentIs("STOPPED");

const refused = await client.POST("/environment/{environmentId}/container", {
  ...inEnvironment,
  body: image,
});
if (refused.response.status !== 409) throw new Error(`a name that is taken gave ${refused.response.status}`);
await client.DELETE("/database/{databaseId}", { params: { path: { databaseId: database.id } } });
await client.DELETE("/environment/{environmentId}", inEnvironment);
await until(
  async () => (await client.GET("/environment/{environmentId}", inEnvironment)).response.status,
  (status) => status === 404,
);
console.log("the whole lifecycle, and no violation");
