import { expect, test } from 'vitest';
import { signature } from '../../src/signing/signature.ts';

// The signatures are botocore's.
const key = { id: 'AKIDEXAMPLE', secret: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY', token: '', region: 'us-east-1' };
const at = new Date('2015-08-30T12:36:00Z');

test.each([
  ["POST", "http://127.0.0.1:8000/", "DynamoDB_20120810.ListTables", "{\"Limit\":3}", "", "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date;x-amz-target, Signature=91687cc278f82b8a62acaa0e69736ed1825a82a789211d6afdb1e11ccd3767aa"],
  ["GET", "http://localhost:8000/model/examples/a%20b*'(c)!", null, "", "", "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date, Signature=d3c78daa7cad40a960fd13eeecd6d8ef6158cb80357aec1de52d0485b82304b0"],
  ["POST", "https://db.example/model/check", null, "{\"source\":\"ä ~ €\"}", "tok/en+=", "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date;x-amz-security-token, Signature=2c927f65b3bb6bfb49a21b99d06fb13c1d544718b1720ddf5986d56190756fd6"],
  ["GET", "http://127.0.0.1:8000/model/source?b=2&a=x%20y&a=%2F", null, "", "", "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date, Signature=bac2be9cf85dd6492fc8ef5b909de59350bb4737af4d9f3c0e97fa05c863e871"],
])('%s %s is signed as botocore does it', async (method, address, target, body, token, wanted) => {
  const made = await signature({ ...key, token }, method, new URL(address), target, body, at);
  expect(made['X-Amz-Date']).toBe('20150830T123600Z');
  expect(made['Authorization']).toBe(wanted);
});
