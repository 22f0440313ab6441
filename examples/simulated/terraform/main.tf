# A platform made with Terraform in a simulation, without a cloud and without a provider of others: with_simulation.sh ./apply.sh
# Each resource asks the REST API by curl. Its answer lies in a file of the folder `state`, from which later resources read ids.
variable "orlop_url" {
  type        = string
  description = "Address of the simulation."
}

locals {
  ask = "${path.module}/ask.sh"
}

resource "terraform_data" "rules" {
  provisioner "local-exec" {
    command     = <<-END
      ${local.ask} rules POST '/-/sim/rules' '{"kind": "cluster", "after": "25m"}'
      ${local.ask} rules POST '/-/sim/rules' '{"step": "deploy", "name": "stock", "after": "40s", "fails": "no space left", "times": 1}'
    END
    environment = { ORLOP_URL = var.orlop_url }
  }
}

resource "terraform_data" "organization" {
  depends_on = [terraform_data.rules]
  provisioner "local-exec" {
    command     = "${local.ask} organization POST /organization '{\"name\": \"acme\", \"plan\": \"FREE\"}'"
    environment = { ORLOP_URL = var.orlop_url }
  }
}

resource "terraform_data" "cluster" {
  depends_on = [terraform_data.organization]
  provisioner "local-exec" {
    command     = <<-END
      ${local.ask} cluster POST '/organization/{organization}/cluster' '{"name": "europe", "region": "eu-west-3", "cloud_provider": "AWS"}'
      ${local.ask} deployed POST '/organization/{organization}/cluster/{cluster}/deploy'
      ${local.ask} clock POST '/-/sim/clock' '{"advance": "25m"}'
      ${local.ask} cluster_status GET '/organization/{organization}/cluster/{cluster}/status'
    END
    environment = { ORLOP_URL = var.orlop_url }
  }
}

resource "terraform_data" "environment" {
  depends_on = [terraform_data.cluster]
  provisioner "local-exec" {
    command     = <<-END
      ${local.ask} project POST '/organization/{organization}/project' '{"name": "shop"}'
      ${local.ask} environment POST '/project/{project}/environment' '{"name": "production", "cluster": "{cluster}"}'
      ${local.ask} database POST '/environment/{environment}/database' '{"name": "stock", "type": "POSTGRESQL", "version": "16", "mode": "CONTAINER"}'
    END
    environment = { ORLOP_URL = var.orlop_url }
  }
}

resource "terraform_data" "first_rollout" {
  depends_on = [terraform_data.environment]
  provisioner "local-exec" {
    command     = <<-END
      ${local.ask} rollout POST '/environment/{environment}/deploy'
      ${local.ask} clock POST '/-/sim/clock' '{"until_idle": true}'
      ${local.ask} first_status GET '/environment/{environment}/status'
    END
    environment = { ORLOP_URL = var.orlop_url }
  }
}

resource "terraform_data" "second_rollout" {
  depends_on = [terraform_data.first_rollout]
  provisioner "local-exec" {
    command     = <<-END
      ${local.ask} rollout POST '/environment/{environment}/deploy'
      ${local.ask} clock POST '/-/sim/clock' '{"until_idle": true}'
      ${local.ask} second_status GET '/environment/{environment}/status'
    END
    environment = { ORLOP_URL = var.orlop_url }
  }
}
