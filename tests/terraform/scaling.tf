# Auto scaling of a table and its index, which a server with --physics aws serves.
resource "aws_dynamodb_table" "scaled" {
  name           = "Scaled"
  billing_mode   = "PROVISIONED"
  read_capacity  = 5
  write_capacity = 5
  hash_key       = "pk"

  attribute {
    name = "pk"
    type = "S"
  }
  attribute {
    name = "g"
    type = "S"
  }
  global_secondary_index {
    name            = "ByG"
    hash_key        = "g"
    projection_type = "ALL"
    read_capacity   = 5
    write_capacity  = 5
  }
  lifecycle {
    ignore_changes = [read_capacity, write_capacity, global_secondary_index]
  }
}

locals {
  scaled = {
    table = { resource = "table/${aws_dynamodb_table.scaled.name}", kind = "table" }
    index = { resource = "table/${aws_dynamodb_table.scaled.name}/index/ByG", kind = "index" }
  }
}

resource "aws_appautoscaling_target" "writes" {
  for_each           = local.scaled
  service_namespace  = "dynamodb"
  resource_id        = each.value.resource
  scalable_dimension = "dynamodb:${each.value.kind}:WriteCapacityUnits"
  min_capacity       = 5
  max_capacity       = var.later ? 200 : 100
  tags               = var.later ? { team = "shop" } : {}
}

resource "aws_appautoscaling_policy" "writes" {
  for_each           = local.scaled
  name               = "${each.key}-writes"
  policy_type        = "TargetTrackingScaling"
  service_namespace  = aws_appautoscaling_target.writes[each.key].service_namespace
  resource_id        = aws_appautoscaling_target.writes[each.key].resource_id
  scalable_dimension = aws_appautoscaling_target.writes[each.key].scalable_dimension

  target_tracking_scaling_policy_configuration {
    target_value       = var.later ? 60 : 70
    scale_in_cooldown  = 60
    scale_out_cooldown = 30
    predefined_metric_specification {
      predefined_metric_type = "DynamoDBWriteCapacityUtilization"
    }
  }
}
