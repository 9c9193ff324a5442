# Every setting of a table that Terraform manages in one region. `later` is the second state: settings are changed in place.
terraform {
  required_providers {
    aws = { source = "hashicorp/aws" }
  }
}

variable "endpoint" {
  type = string
}

variable "later" {
  type    = bool
  default = false
}

provider "aws" {
  region                      = "us-east-1"
  access_key                  = "test"
  secret_key                  = "test"
  skip_credentials_validation = true
  skip_metadata_api_check     = true
  endpoints {
    dynamodb       = var.endpoint
    sts            = var.endpoint
    appautoscaling = var.endpoint
  }
}

resource "aws_dynamodb_table" "demand" {
  name         = "Demand"
  billing_mode = "PAY_PER_REQUEST"
  hash_key     = "pk"
  range_key    = "sk"
  table_class  = var.later ? "STANDARD" : "STANDARD_INFREQUENT_ACCESS"

  attribute {
    name = "pk"
    type = "S"
  }
  attribute {
    name = "sk"
    type = "N"
  }
  attribute {
    name = "g"
    type = "S"
  }
  attribute {
    name = "l"
    type = "S"
  }
  global_secondary_index {
    name               = "ByG"
    hash_key           = "g"
    range_key          = "sk"
    projection_type    = "INCLUDE"
    non_key_attributes = ["a", "b"]
    on_demand_throughput {
      max_read_request_units  = 10
      max_write_request_units = 11
    }
  }
  dynamic "global_secondary_index" {
    for_each = var.later ? ["ByL2"] : []
    content {
      name            = "ByL2"
      hash_key        = "l"
      projection_type = "ALL"
    }
  }
  local_secondary_index {
    name            = "ByL"
    range_key       = "l"
    projection_type = "KEYS_ONLY"
  }
  on_demand_throughput {
    max_read_request_units  = var.later ? 200 : 100
    max_write_request_units = 100
  }
  ttl {
    attribute_name = "expires"
    enabled        = true
  }
  point_in_time_recovery {
    enabled                 = true
    recovery_period_in_days = var.later ? 9 : 7
  }
  stream_enabled   = true
  stream_view_type = "NEW_AND_OLD_IMAGES"
  server_side_encryption {
    enabled = true
  }
  deletion_protection_enabled = false
  tags                        = var.later ? { Owner = "other" } : { Owner = "team", Stage = "test" }
}

resource "aws_dynamodb_table" "provisioned" {
  name           = "Provisioned"
  billing_mode   = "PROVISIONED"
  read_capacity  = var.later ? 9 : 5
  write_capacity = 6
  hash_key       = "pk"

  attribute {
    name = "pk"
    type = "B"
  }
  attribute {
    name = "g"
    type = "N"
  }
  global_secondary_index {
    name            = "ByG"
    hash_key        = "g"
    projection_type = "ALL"
    read_capacity   = var.later ? 4 : 2
    write_capacity  = 3
  }
  # aws_dynamodb_tag below adds one.
  lifecycle {
    ignore_changes = [tags, tags_all]
  }
}

# A table that changes its billing mode.
resource "aws_dynamodb_table" "switched" {
  name           = "Switched"
  billing_mode   = var.later ? "PAY_PER_REQUEST" : "PROVISIONED"
  read_capacity  = var.later ? null : 3
  write_capacity = var.later ? null : 3
  hash_key       = "pk"

  attribute {
    name = "pk"
    type = "S"
  }
  ttl {
    attribute_name = "expires"
    enabled        = true
  }
}

resource "aws_dynamodb_contributor_insights" "table" {
  table_name = aws_dynamodb_table.demand.name
}

resource "aws_dynamodb_contributor_insights" "index" {
  table_name = aws_dynamodb_table.demand.name
  index_name = "ByG"
}

resource "aws_dynamodb_resource_policy" "policy" {
  resource_arn = aws_dynamodb_table.demand.arn
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Sid       = "Read"
      Effect    = "Allow"
      Principal = { AWS = "arn:aws:iam::123456789012:root" }
      Action    = var.later ? "dynamodb:Query" : "dynamodb:GetItem"
      Resource  = aws_dynamodb_table.demand.arn
    }]
  })
}

resource "aws_dynamodb_tag" "tag" {
  resource_arn = aws_dynamodb_table.provisioned.arn
  key          = "extra"
  value        = var.later ? "2" : "1"
}

resource "aws_dynamodb_table_item" "item" {
  table_name = aws_dynamodb_table.demand.name
  hash_key   = "pk"
  range_key  = "sk"
  item       = jsonencode({ pk = { S = "a" }, sk = { N = "1" }, g = { S = var.later ? "y" : "x" } })
}

data "aws_dynamodb_table" "read" {
  name = aws_dynamodb_table.provisioned.name
}
