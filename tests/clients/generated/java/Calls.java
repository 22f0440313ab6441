import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.UUID;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.ClustersApi;
import org.openapitools.client.api.ContainerRegistriesApi;
import org.openapitools.client.api.ContainersApi;
import org.openapitools.client.api.EnvironmentsApi;
import org.openapitools.client.api.JobsApi;
import org.openapitools.client.api.ProjectsApi;
import org.openapitools.client.model.CloudVendorEnum;
import org.openapitools.client.model.ClusterRequest;
import org.openapitools.client.model.ClusterStateEnum;
import org.openapitools.client.model.ContainerRegistryRequest;
import org.openapitools.client.model.ContainerRequest;
import org.openapitools.client.model.EnvironmentRequest;
import org.openapitools.client.model.JobRequest;
import org.openapitools.client.model.ProjectRequest;
import org.openapitools.client.model.StateEnum;

/** Ten calls with the client that openapi-generator made for Java: Calls URL TOKEN ORGANIZATION. */
public final class Calls {
  public static void main(String[] given) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(given[0]);
    client.setRequestInterceptor(request -> request.header("Authorization", "Token " + given[1]));
    ObjectMapper json = client.getObjectMapper();
    UUID organization = UUID.fromString(given[2]);
    ClustersApi clusters = new ClustersApi(client);
    ContainersApi containers = new ContainersApi(client);

    ClusterRequest europe = new ClusterRequest().name("europe").region("eu-west-3").cloudProvider(CloudVendorEnum.AWS);
    UUID cluster = clusters.createCluster(organization, europe, null, null).getId();
    clusters.deployCluster(organization, cluster, null, null, null);
    while (clusters.getClusterStatus(organization, cluster).getStatus() != ClusterStateEnum.DEPLOYED) {}
    UUID project = new ProjectsApi(client).createProject(organization, new ProjectRequest().name("shop"), null, null).getId();
    EnvironmentRequest production = new EnvironmentRequest().name("production").cluster(cluster);
    UUID environment = new EnvironmentsApi(client).createEnvironment(project, production, null, null).getId();
    UUID registry = new ContainerRegistriesApi(client).createContainerRegistry(organization,
        json.readValue("{\"name\": \"hub\", \"kind\": \"DOCKER_HUB\", \"config\": {}}", ContainerRegistryRequest.class), null, null).getId();
    String image = "\"registry_id\": \"" + registry + "\", \"image_name\": \"acme/web\", \"tag\": \"1\"";
    UUID container = containers.createContainer(environment,
        json.readValue("{\"name\": \"web\", \"healthchecks\": {}, " + image + "}", ContainerRequest.class), null, null).getId();
    new JobsApi(client).createJob(environment, json.readValue("{\"name\": \"migrate\", \"healthchecks\": {}, \"schedule\": {\"on_start\": {}},"
        + " \"source\": {\"image\": {" + image + "}}}", JobRequest.class), null, null);
    containers.deployContainer(container, null, null, null);
    while (containers.getContainerStatus(container).getState() != StateEnum.DEPLOYED) {}
    System.out.println("ten calls");
  }
}
