// What lies beside a service: variables in both forms, settings, custom domains, restrictions, the kubeconfig, metadata.
package main

import (
	"bytes"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"sort"
	"strings"

	"github.com/google/uuid"
	"orlop.example/check/platform"
)

func expect[T comparable](what string, value, wanted T) {
	if value != wanted {
		log.Fatalf("%s is %v, not %v", what, value, wanted)
	}
}

func expectGone(response *http.Response, err error) {
	check(err)
	expect("the status of "+response.Request.Method+" "+response.Request.URL.Path, response.StatusCode, http.StatusNoContent)
}

func variables(client *platform.ClientWithResponses, project, container uuid.UUID) {
	create := func(body platform.VariableRequest) platform.Variable {
		made, err := client.CreateVariableWithResponse(ctx, nil, body)
		check(err)
		return got(made.JSON201, made.HTTPResponse, made.Body, err)
	}
	level := create(platform.VariableRequest{Key: "LOG_LEVEL", Value: "info", VariableScope: "PROJECT", VariableParentId: project})
	description := "of the mailer"
	secret := create(platform.VariableRequest{
		Key: "TOKEN", Value: "hidden", IsSecret: true, Description: &description, VariableScope: "CONTAINER", VariableParentId: container})
	if secret.Value != nil {
		log.Fatalf("the value of a secret is %q", *secret.Value)
	}
	path := "/etc/app.conf"
	file := create(platform.VariableRequest{Key: "CONFIG", Value: "a={{LOG_LEVEL}}", MountPath: &path, VariableScope: "CONTAINER", VariableParentId: container})
	expect("the type of a file", file.VariableType, "FILE")

	aliased, err := client.CreateVariableAliasWithResponse(ctx, secret.Id, nil,
		platform.VariableAliasRequest{Key: "MAIL_TOKEN", AliasScope: "CONTAINER", AliasParentId: container})
	check(err)
	expect("what an alias names", got(aliased.JSON201, aliased.HTTPResponse, aliased.Body, err).AliasedVariable.Key, "TOKEN")
	overridden, err := client.CreateVariableOverrideWithResponse(ctx, level.Id, nil,
		platform.VariableOverrideRequest{Value: "debug", OverrideScope: "CONTAINER", OverrideParentId: container})
	check(err)
	expect("the type of an override", got(overridden.JSON201, overridden.HTTPResponse, overridden.Body, err).VariableType, "OVERRIDE")
	value := "warn"
	edited, err := client.EditVariableWithResponse(ctx, level.Id, nil, platform.VariableEditRequest{Key: "LOG_LEVEL", Value: &value})
	check(err)
	expect("the edited value", *got(edited.JSON200, edited.HTTPResponse, edited.Body, err).Value, "warn")

	listed, err := client.ListVariablesWithResponse(ctx, &platform.ListVariablesParams{ParentId: container, Scope: "CONTAINER"})
	check(err)
	var keys []string
	for _, one := range got(listed.JSON200, listed.HTTPResponse, listed.Body, err).Results {
		if one.Scope != "BUILT_IN" {
			keys = append(keys, one.Key)
		}
	}
	sort.Strings(keys)
	expect("what a container sees", strings.Join(keys, " "), "CONFIG LOG_LEVEL LOG_LEVEL MAIL_TOKEN TOKEN")
	imported, err := client.ImportVariablesWithResponse(ctx, &platform.ImportVariablesParams{ServiceId: container, ServiceType: "CONTAINER"},
		platform.VariableImportRequest{Overwrite: true, Vars: []platform.VariableImportRequestVars{{Name: "IMPORTED", Value: "1", Scope: "CONTAINER"}}})
	check(err)
	expect("the number of imported variables", len(got(imported.JSON201, imported.HTTPResponse, imported.Body, err).SuccessfulImportedVariables), 1)
	deleted, err := client.DeleteVariableWithResponse(ctx, secret.Id, nil)
	expectGone(deleted.HTTPResponse, err)
}

func olderForms(client *platform.ClientWithResponses, container uuid.UUID) {
	made, err := client.CreateContainerEnvironmentVariableWithResponse(ctx, container, nil, platform.EnvironmentVariableRequest{Key: "PORT", Value: &[]string{"8080"}[0]})
	check(err)
	port := got(made.JSON201, made.HTTPResponse, made.Body, err)
	edited, err := client.EditContainerEnvironmentVariableWithResponse(ctx, container, port.Id, nil,
		platform.EnvironmentVariableEditRequest{Key: "PORT", Value: &[]string{"8081"}[0]})
	check(err)
	got(edited.JSON200, edited.HTTPResponse, edited.Body, err)
	listed, err := client.ListContainerEnvironmentVariablesWithResponse(ctx, container)
	check(err)
	got(listed.JSON200, listed.HTTPResponse, listed.Body, err)
	hidden, err := client.CreateContainerSecretWithResponse(ctx, container, nil, platform.SecretRequest{Key: "PASSWORD", Value: &[]string{"hidden"}[0]})
	check(err)
	got(hidden.JSON201, hidden.HTTPResponse, hidden.Body, err)
	secrets, err := client.ListContainerSecretsWithResponse(ctx, container)
	check(err)
	got(secrets.JSON200, secrets.HTTPResponse, secrets.Body, err)
	deleted, err := client.DeleteContainerEnvironmentVariableWithResponse(ctx, container, port.Id, nil)
	expectGone(deleted.HTTPResponse, err)
}

func settings(client *platform.ClientWithResponses, organization, cluster, container uuid.UUID) {
	read, err := client.GetContainerAdvancedSettingsWithResponse(ctx, container)
	check(err)
	advanced := got(read.JSON200, read.HTTPResponse, read.Body, err)
	advanced.DeploymentTerminationGracePeriodSeconds = 90
	body, err := json.Marshal(advanced)
	check(err)
	written, err := client.EditContainerAdvancedSettingsWithBodyWithResponse(ctx, container, nil, "application/json", bytes.NewReader(body))
	check(err)
	changed := got(written.JSON201, written.HTTPResponse, written.Body, err)
	expect("the grace period", changed.DeploymentTerminationGracePeriodSeconds, 90)
	defaults, err := client.GetDefaultContainerAdvancedSettingsWithResponse(ctx)
	check(err)
	got(defaults.JSON200, defaults.HTTPResponse, defaults.Body, err)
	sticky := true
	networked, err := client.EditContainerNetworkWithResponse(ctx, container, nil, platform.NetworkRequest{StickySession: &sticky})
	check(err)
	got(networked.JSON201, networked.HTTPResponse, networked.Body, err)

	routes := []platform.ClusterRoute{{Destination: "10.30.0.0/16", Target: "pcx-1", Description: "peering"}}
	routed, err := client.EditRoutingTableWithResponse(ctx, organization, cluster, nil, platform.ClusterRoutingTableRequest{Routes: &routes})
	check(err)
	got(routed.JSON201, routed.HTTPResponse, routed.Body, err)
	table, err := client.GetRoutingTableWithResponse(ctx, organization, cluster)
	check(err)
	expect("the first route", got(table.JSON200, table.HTTPResponse, table.Body, err).Results[0], routes[0])
	// The text itself: the typed method would parse the YAML.
	kubeconfig, err := client.GetClusterKubeconfig(ctx, organization.String(), cluster, nil)
	check(err)
	defer kubeconfig.Body.Close()
	text, err := io.ReadAll(kubeconfig.Body)
	check(err)
	if kubeconfig.StatusCode != http.StatusOK || !bytes.Contains(text, []byte("apiVersion")) {
		log.Fatalf("the kubeconfig is %d %s", kubeconfig.StatusCode, text)
	}
}

func domains(client *platform.ClientWithResponses, container, environment, project uuid.UUID) {
	body := platform.CustomDomainRequest{Domain: "shop.example.com", GenerateCertificate: true}
	made, err := client.CreateContainerCustomDomainWithResponse(ctx, container, nil, body)
	check(err)
	domain := got(made.JSON201, made.HTTPResponse, made.Body, err)
	cdn := true
	body.UseCdn = &cdn
	edited, err := client.EditContainerCustomDomainWithResponse(ctx, container, domain.Id, nil, body)
	check(err)
	got(edited.JSON200, edited.HTTPResponse, edited.Body, err)
	status, err := client.GetContainerCustomDomainStatusWithResponse(ctx, container, domain.Id)
	check(err)
	got(status.JSON200, status.HTTPResponse, status.Body, err)
	links, err := client.ListContainerLinksWithResponse(ctx, container)
	check(err)
	got(links.JSON200, links.HTTPResponse, links.Body, err)
	deleted, err := client.DeleteContainerCustomDomainWithResponse(ctx, container, domain.Id, nil)
	expectGone(deleted.HTTPResponse, err)

	services, err := client.ListEnvironmentServicesWithResponse(ctx, environment)
	check(err)
	got(services.JSON200, services.HTTPResponse, services.Body, err)
	renamed, err := client.EditProjectWithResponse(ctx, project, nil, platform.ProjectRequest{Name: "shop", Metadata: &map[string]string{"team": "web"}})
	check(err)
	expect("the metadata", (*got(renamed.JSON200, renamed.HTTPResponse, renamed.Body, err).Metadata)["team"], "web")
}

func relations(client *platform.ClientWithResponses, organization, cluster uuid.UUID, environment platform.Environment, container uuid.UUID) {
	variables(client, environment.Project.Id, container)
	olderForms(client, container)
	settings(client, organization, cluster, container)
	domains(client, container, environment.Id, environment.Project.Id)
}
