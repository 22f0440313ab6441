// A platform from its first cluster to its deletion, with a client that oapi-codegen made from the description: every answer is
// decoded into a type that the description names, and examined by strict().
//
// usage: go run . URL TOKEN ORGANIZATION
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"

	"github.com/google/uuid"
	"orlop.example/check/platform"
)

var ctx = context.Background()

// got gives what an answer was decoded into, or ends the program.
func got[T any](value *T, response *http.Response, body []byte, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	if value == nil {
		log.Fatalf("%s %s: %s %s", response.Request.Method, response.Request.URL, response.Status, body)
	}
	if fault := strict[T](body); fault != nil {
		log.Fatalf("%s %s: %s: %s", response.Request.Method, response.Request.URL, fault, body)
	}
	return *value
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// until asks until the answer is the one that is waited for.
func until[T comparable](what string, wanted T, ask func() T) {
	var last T
	for attempt := 0; attempt < 2000; attempt++ {
		if last = ask(); last == wanted {
			return
		}
	}
	log.Fatalf("%s is %v, not %v", what, last, wanted)
}

func cluster(client *platform.ClientWithResponses, organization uuid.UUID) platform.Cluster {
	made, err := client.CreateClusterWithResponse(ctx, organization, nil, platform.ClusterRequest{
		Name: "europe", Region: "eu-west-3", CloudProvider: "AWS"})
	check(err)
	cluster := got(made.JSON201, made.HTTPResponse, made.Body, err)
	deployed, err := client.DeployClusterWithResponse(ctx, organization, cluster.Id, nil)
	check(err)
	got(deployed.JSON200, deployed.HTTPResponse, deployed.Body, err)
	until("the cluster", platform.ClusterStateEnum("DEPLOYED"), func() platform.ClusterStateEnum {
		status, err := client.GetClusterStatusWithResponse(ctx, organization, cluster.Id)
		check(err)
		return got(status.JSON200, status.HTTPResponse, status.Body, err).Status
	})
	listed, err := client.ListClusterWithResponse(ctx, organization, nil)
	check(err)
	if got(listed.JSON200, listed.HTTPResponse, listed.Body, err).Results[0].Id != cluster.Id {
		log.Fatal("the list of clusters begins with another one")
	}
	return cluster
}

func environment(client *platform.ClientWithResponses, organization, cluster uuid.UUID) platform.Environment {
	project, err := client.CreateProjectWithResponse(ctx, organization, nil, platform.ProjectRequest{Name: "shop"})
	check(err)
	shop := got(project.JSON200, project.HTTPResponse, project.Body, err)
	made, err := client.CreateEnvironmentWithResponse(ctx, shop.Id, nil, platform.EnvironmentRequest{Name: "production", ClusterId: &cluster})
	check(err)
	return got(made.JSON201, made.HTTPResponse, made.Body, err)
}

func services(client *platform.ClientWithResponses, organization, environment uuid.UUID) (platform.Container, platform.ContainerRequest) {
	hub, err := client.CreateContainerRegistryWithResponse(ctx, organization, nil, platform.ContainerRegistryRequest{
		Name: "docker hub", Kind: "DOCKER_HUB"})
	check(err)
	registry := got(hub.JSON201, hub.HTTPResponse, hub.Body, err)
	database, err := client.CreateDatabaseWithResponse(ctx, environment, nil, platform.DatabaseRequest{
		Name: "orders", Type: "POSTGRESQL", Version: "16", Mode: "CONTAINER"})
	check(err)
	got(database.JSON201, database.HTTPResponse, database.Body, err)
	body := platform.ContainerRequest{Name: "web", RegistryId: registry.Id, ImageName: "acme/web", Tag: "1.0.0"}
	made, err := client.CreateContainerWithResponse(ctx, environment, nil, body)
	check(err)
	taken, err := client.CreateContainerWithResponse(ctx, environment, nil, body)
	check(err)
	if got(taken.JSON409, taken.HTTPResponse, taken.Body, err).Status != http.StatusConflict {
		log.Fatal("the refusal does not say its status")
	}
	return got(made.JSON201, made.HTTPResponse, made.Body, err), body
}

func main() {
	organization := uuid.MustParse(os.Args[3])
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Token "+os.Args[2])
		return nil
	}
	client, err := platform.NewClientWithResponses(os.Args[1], platform.WithRequestEditorFn(authorize))
	check(err)
	europe := cluster(client, organization)
	production := environment(client, organization, europe.Id)
	web, body := services(client, organization, production.Id)
	environmentIs := func(state platform.StateEnum) {
		until("the environment", state, func() platform.StateEnum {
			status, err := client.GetEnvironmentStatusWithResponse(ctx, production.Id)
			check(err)
			return got(status.JSON200, status.HTTPResponse, status.Body, err).State
		})
	}

	deployed, err := client.DeployEnvironmentWithResponse(ctx, production.Id, nil)
	check(err)
	got(deployed.JSON202, deployed.HTTPResponse, deployed.Body, err)
	environmentIs("DEPLOYED")
	body.Tag = "1.0.1"
	edited, err := client.EditContainerWithResponse(ctx, web.Id, nil, body)
	check(err)
	got(edited.JSON200, edited.HTTPResponse, edited.Body, err)
	status, err := client.GetContainerStatusWithResponse(ctx, web.Id)
	check(err)
	if fresh := got(status.JSON200, status.HTTPResponse, status.Body, err).ServiceDeploymentStatus; fresh != "OUT_OF_DATE" {
		log.Fatalf("after an edit it is %s", fresh)
	}
	again, err := client.DeployEnvironmentWithResponse(ctx, production.Id, nil)
	check(err)
	got(again.JSON202, again.HTTPResponse, again.Body, err)
	environmentIs("DEPLOYED")
	relations(client, organization, europe.Id, production, web.Id)

	stopped, err := client.StopEnvironmentWithResponse(ctx, production.Id, nil)
	check(err)
	got(stopped.JSON202, stopped.HTTPResponse, stopped.Body, err)
	environmentIs("STOPPED")

	gone, err := client.DeleteEnvironmentWithResponse(ctx, production.Id, nil)
	check(err)
	if gone.StatusCode() != http.StatusNoContent {
		log.Fatalf("the deletion gave %s", gone.Status())
	}
	until("a look at what was deleted", http.StatusNotFound, func() int {
		looked, err := client.GetEnvironmentWithResponse(ctx, production.Id)
		check(err)
		return looked.StatusCode()
	})
	fmt.Println("the whole lifecycle, and every answer decoded")
}
