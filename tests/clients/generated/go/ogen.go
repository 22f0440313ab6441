// Ten calls with the client that ogen made: calls URL TOKEN ORGANIZATION.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/google/uuid"
	"github.com/ogen-go/ogen/ogenerrors"

	platform "orlop.example/check/platform"
)

type program string

func (token program) ApiKeyAuth(context.Context, platform.OperationName) (platform.ApiKeyAuth, error) {
	return platform.ApiKeyAuth{APIKey: "Token " + string(token)}, nil
}

func (program) BearerAuth(context.Context, platform.OperationName) (platform.BearerAuth, error) {
	return platform.BearerAuth{}, ogenerrors.ErrSkipClientSecurity
}

// The answer of the wanted type; an answer with another status has another one.
func must[Wanted any](answer any, err error) Wanted {
	wanted, fits := answer.(Wanted)
	if err != nil || !fits {
		panic(fmt.Sprintf("%T %v", answer, err))
	}
	return wanted
}

type reader interface{ UnmarshalJSON([]byte) error }

func read[Read reader](into Read, text string) Read {
	if err := into.UnmarshalJSON([]byte(text)); err != nil {
		panic(err)
	}
	return into
}

func main() {
	ctx := context.Background()
	organization := uuid.MustParse(os.Args[3])
	api, err := platform.NewClient(os.Args[1], program(os.Args[2]))
	if err != nil {
		panic(err)
	}
	europe := platform.ClusterRequest{Name: "europe", Region: "eu-west-3", CloudProvider: platform.CloudVendorEnumAWS}
	cluster := must[*platform.ClusterHeaders](api.CreateCluster(ctx, &europe, platform.CreateClusterParams{OrganizationId: organization})).Response.ID
	must[*platform.ClusterStatusHeaders](api.DeployCluster(ctx, platform.DeployClusterParams{OrganizationId: organization, ClusterId: cluster}))
	clusterStatus := platform.GetClusterStatusParams{OrganizationId: organization, ClusterId: cluster}
	for must[*platform.ClusterStatusHeaders](api.GetClusterStatus(ctx, clusterStatus)).Response.Status != platform.ClusterStateEnumDEPLOYED {
	}
	shop := platform.ProjectRequest{Name: "shop"}
	project := must[*platform.ProjectHeaders](api.CreateProject(ctx, &shop, platform.CreateProjectParams{OrganizationId: organization})).Response.ID
	production := read(&platform.EnvironmentRequest{}, `{"name": "production", "cluster": "`+cluster.String()+`"}`)
	environment := must[*platform.EnvironmentHeaders](api.CreateEnvironment(ctx, production, platform.CreateEnvironmentParams{ProjectId: project})).Response.ID
	hub := read(&platform.ContainerRegistryRequest{}, `{"name": "hub", "kind": "DOCKER_HUB", "config": {}}`)
	registry := must[*platform.ContainerRegistryHeaders](api.CreateContainerRegistry(ctx, hub,
		platform.CreateContainerRegistryParams{OrganizationId: organization})).Response.ID.String()
	web := read(&platform.ContainerRequest{}, `{"name": "web", "registry_id": "`+registry+`", "image_name": "acme/web", "tag": "1", "healthchecks": {}}`)
	container := must[*platform.ContainerHeaders](api.CreateContainer(ctx, web, platform.CreateContainerParams{EnvironmentId: environment})).Response.ID
	migrate := read(&platform.JobRequest{}, `{"name": "migrate", "healthchecks": {}, "schedule": {"on_start": {}},
		"source": {"image": {"registry_id": "`+registry+`", "image_name": "acme/migrate", "tag": "1"}}}`)
	must[*platform.JobHeaders](api.CreateJob(ctx, migrate, platform.CreateJobParams{EnvironmentId: environment}))
	must[*platform.StatusHeaders](api.DeployContainer(ctx, platform.OptContainerDeployRequest{}, platform.DeployContainerParams{ContainerId: container}))
	status := platform.GetContainerStatusParams{ContainerId: container}
	for must[*platform.StatusHeaders](api.GetContainerStatus(ctx, status)).Response.State != platform.StateEnumDEPLOYED {
	}
	fmt.Println("ten calls")
}
