//! The AWS SDK for Rust with signatures verified: a row written and read, and keys that are wrong refused with AWS's errors.
use aws_sdk_dynamodb::config::{Credentials, Region, retry::RetryConfig};
use aws_sdk_dynamodb::error::ProvideErrorMetadata;
use aws_sdk_dynamodb::types::{AttributeDefinition, AttributeValue, BillingMode, KeySchemaElement, KeyType, ScalarAttributeType};
use aws_sdk_dynamodb::{Client, Config};

fn client(key: &str, secret: &str, region: &'static str) -> Client {
    let endpoint = std::env::var("DYNAMODB_ENDPOINT").expect("DYNAMODB_ENDPOINT");
    Client::from_conf(
        Config::builder()
            .endpoint_url(endpoint)
            .region(Region::new(region))
            .credentials_provider(Credentials::new(key, secret, None, None, "test"))
            .retry_config(RetryConfig::disabled())
            .http_client(aws_smithy_http_client::Builder::new().build_http())
            .build(),
    )
}

async fn refused(client: Client, code: &str) {
    let error = client.list_tables().send().await.expect_err("a wrong key was let in");
    assert_eq!(error.code(), Some(code), "{error:?}");
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let known = client("test", "test", "us-east-1");
    let table = format!("rust-{}", std::process::id());
    let text = |text: &str| AttributeValue::S(text.to_string());
    known
        .create_table()
        .table_name(&table)
        .billing_mode(BillingMode::PayPerRequest)
        .key_schema(KeySchemaElement::builder().attribute_name("pk").key_type(KeyType::Hash).build().unwrap())
        .attribute_definitions(AttributeDefinition::builder().attribute_name("pk").attribute_type(ScalarAttributeType::S).build().unwrap())
        .send()
        .await
        .unwrap();
    known.put_item().table_name(&table).item("pk", text("a")).item("ä ö", text("~ü€😀")).send().await.unwrap();
    let found = known.get_item().table_name(&table).key("pk", text("a")).send().await.unwrap();
    assert_eq!(found.item.unwrap()["ä ö"], text("~ü€😀"));
    known.delete_table().table_name(&table).send().await.unwrap();

    refused(client("test", "wrong", "us-east-1"), "InvalidSignatureException").await;
    refused(client("nobody", "test", "us-east-1"), "UnrecognizedClientException").await;
    refused(client("test", "test", "eu-west-1"), "InvalidSignatureException").await;
    println!("ok");
}
