-- wrk -t1 -c32 -d5 -s bench/http_post.lua http://127.0.0.1:PORT/ : a GetItem of 150 bytes with the headers an SDK sends.
wrk.method = "POST"
wrk.body = '{"TableName":"Education","Key":{"pk":{"S":"STUDENT#12345"},"sk":{"S":"PROFILE"}},"ConsistentRead":false,"ReturnConsumedCapacity":"NONE","Pad":"xxxxxxx"}'
wrk.headers["Content-Type"] = "application/x-amz-json-1.0"
wrk.headers["X-Amz-Target"] = "DynamoDB_20120810.GetItem"
wrk.headers["User-Agent"] = "aws-sdk-js/3.609.0 ua/2.0 os/linux#6.1.0 lang/js md/nodejs#20.11.1 api/dynamodb#3.609.0"
wrk.headers["X-Amz-Date"] = "20260101T000000Z"
wrk.headers["X-Amz-User-Agent"] = "aws-sdk-js/3.609.0"
wrk.headers["amz-sdk-invocation-id"] = "b0b8a4a6-5f5c-4b8e-8a7e-1b2c3d4e5f60"
wrk.headers["amz-sdk-request"] = "attempt=1; max=3"
wrk.headers["X-Amz-Content-Sha256"] = "8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4"
wrk.headers["Authorization"] = "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=content-length;content-type;host;x-amz-content-sha256;x-amz-date;x-amz-target, Signature=5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7"
