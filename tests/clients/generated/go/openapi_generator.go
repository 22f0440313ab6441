// Ten calls with the client that openapi-generator made for Go: calls URL TOKEN ORGANIZATION.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	client "github.com/GIT_USER_ID/GIT_REPO_ID"
)

func must[T any](made T, _ any, err error) T {
	if err != nil {
		panic(err)
	}
	return made
}

func read[T any](text string) (made T) {
	if err := json.Unmarshal([]byte(text), &made); err != nil {
		panic(err)
	}
	return made
}

func main() {
	url, token, organization := os.Args[1], os.Args[2], os.Args[3]
	configuration := client.NewConfiguration()
	configuration.Servers = client.ServerConfigurations{{URL: url}}
	keys := map[string]client.APIKey{"ApiKeyAuth": {Key: token, Prefix: "Token"}}
	ctx := context.WithValue(context.Background(), client.ContextAPIKeys, keys)
	api := client.NewAPIClient(configuration)

	cluster := must(api.ClustersAPI.CreateCluster(ctx, organization).ClusterRequest(
		read[client.ClusterRequest](`{"name": "europe", "region": "eu-west-3", "cloud_provider": "AWS"}`)).Execute())
	must(api.ClustersAPI.DeployCluster(ctx, organization, cluster.Id).Execute())
	for must(api.ClustersAPI.GetClusterStatus(ctx, organization, cluster.Id).Execute()).Status != client.CLUSTERSTATEENUM_DEPLOYED {
	}
	project := must(api.ProjectsAPI.CreateProject(ctx, organization).ProjectRequest(*client.NewProjectRequest("shop")).Execute())
	environment := must(api.EnvironmentsAPI.CreateEnvironment(ctx, project.Id).EnvironmentRequest(
		read[client.EnvironmentRequest](`{"name": "production", "cluster": "` + cluster.Id + `"}`)).Execute())
	registry := must(api.ContainerRegistriesAPI.CreateContainerRegistry(ctx, organization).ContainerRegistryRequest(
		read[client.ContainerRegistryRequest](`{"name": "hub", "kind": "DOCKER_HUB", "config": {}}`)).Execute())
	container := must(api.ContainersAPI.CreateContainer(ctx, environment.Id).ContainerRequest(
		read[client.ContainerRequest](`{"name": "web", "registry_id": "` + registry.Id + `", "image_name": "acme/web", "tag": "1", "healthchecks": {}}`)).Execute())
	must(api.JobsAPI.CreateJob(ctx, environment.Id).JobRequest(
		read[client.JobRequest](`{"name": "migrate", "healthchecks": {}, "schedule": {"on_start": {}},
			"source": {"image": {"registry_id": "` + registry.Id + `", "image_name": "acme/migrate", "tag": "1"}}}`)).Execute())
	must(api.ContainersAPI.DeployContainer(ctx, container.Id).Execute())
	for must(api.ContainersAPI.GetContainerStatus(ctx, container.Id).Execute()).State != client.STATEENUM_DEPLOYED {
	}
	fmt.Println("ten calls")
}
