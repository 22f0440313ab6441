//! Ten calls with the client that openapi-generator made for Rust: calls URL TOKEN ORGANIZATION.
use openapi::apis::configuration::{ApiKey, Configuration};
use openapi::apis::{clusters_api, container_registries_api, containers_api, environments_api, jobs_api, projects_api};
use openapi::models;
use serde_json::{from_value, json};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let given: Vec<String> = std::env::args().collect();
    let organization = given[3].as_str();
    let api_key = Some(ApiKey { prefix: Some("Token".into()), key: given[2].clone() });
    let api = Configuration { base_path: given[1].clone(), api_key, ..Configuration::new() };

    let europe = models::ClusterRequest::new("europe".into(), "eu-west-3".into(), models::CloudVendorEnum::Aws);
    let cluster = clusters_api::create_cluster(&api, organization, europe, None, None).await?.id.to_string();
    clusters_api::deploy_cluster(&api, organization, &cluster, None, None, None).await?;
    while clusters_api::get_cluster_status(&api, organization, &cluster).await?.status != models::ClusterStateEnum::Deployed {}
    let shop = models::ProjectRequest::new("shop".into());
    let project = projects_api::create_project(&api, organization, shop, None, None).await?.id.to_string();
    let production = from_value(json!({"name": "production", "cluster": cluster}))?;
    let environment = environments_api::create_environment(&api, &project, production, None, None).await?.id.to_string();
    let hub = from_value(json!({"name": "hub", "kind": "DOCKER_HUB", "config": {}}))?;
    let registry = container_registries_api::create_container_registry(&api, organization, hub, None, None).await?.id.to_string();
    let web = from_value(json!({"name": "web", "registry_id": registry, "image_name": "acme/web", "tag": "1", "healthchecks": {}}))?;
    let container = containers_api::create_container(&api, &environment, web, None, None).await?.id.to_string();
    let image = json!({"registry_id": registry, "image_name": "acme/migrate", "tag": "1"});
    let migrate = from_value(json!({"name": "migrate", "healthchecks": {}, "schedule": {"on_start": {}}, "source": {"image": image}}))?;
    jobs_api::create_job(&api, &environment, migrate, None, None).await?;
    containers_api::deploy_container(&api, &container, None, None, None).await?;
    while containers_api::get_container_status(&api, &container).await?.state != models::StateEnum::Deployed {}
    println!("ten calls");
    Ok(())
}
