// Ten calls with the client that openapi-generator made for TypeScript: calls.ts URL TOKEN ORGANIZATION.
import {
  ClustersApi,
  Configuration,
  ContainerRegistriesApi,
  ContainersApi,
  EnvironmentsApi,
  JobsApi,
  ProjectsApi,
} from "./client/index";

const [url, token, organizationId] = process.argv.slice(2);
const configuration = new Configuration({ basePath: url, apiKey: `Token ${token}` });
const clusters = new ClustersApi(configuration);
const containers = new ContainersApi(configuration);

const cluster = await clusters.createCluster({
  organizationId,
  clusterRequest: { name: "europe", region: "eu-west-3", cloudProvider: "AWS" },
});
await clusters.deployCluster({ organizationId, clusterId: cluster.id });
while ((await clusters.getClusterStatus({ organizationId, clusterId: cluster.id })).status !== "DEPLOYED");
const project = await new ProjectsApi(configuration).createProject({ organizationId, projectRequest: { name: "shop" } });
const environment = await new EnvironmentsApi(configuration).createEnvironment({
  projectId: project.id,
  environmentRequest: { name: "production", cluster: cluster.id },
});
const registry = await new ContainerRegistriesApi(configuration).createContainerRegistry({
  organizationId,
  containerRegistryRequest: { name: "hub", kind: "DOCKER_HUB", config: {} },
});
const container = await containers.createContainer({
  environmentId: environment.id,
  containerRequest: { name: "web", registryId: registry.id, imageName: "acme/web", tag: "1", healthchecks: {} },
});
await new JobsApi(configuration).createJob({
  environmentId: environment.id,
  jobRequest: {
    name: "migrate",
    healthchecks: {},
    schedule: { onStart: {} },
    source: { image: { registryId: registry.id, imageName: "acme/migrate", tag: "1" } },
  },
});
await containers.deployContainer({ containerId: container.id });
while ((await containers.getContainerStatus({ containerId: container.id })).state !== "DEPLOYED");
console.log("ten calls");
