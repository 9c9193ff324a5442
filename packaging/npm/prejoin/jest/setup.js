// Creates the tables that jest-dynamodb-config.js names, in the format of @shelf/jest-dynamodb, if that file is there.
'use strict';

const fs = require('node:fs');
const path = require('node:path');
const {start} = require('../index.js');

async function tablesOf(root) {
  for (const name of ['jest-dynamodb-config.js', 'jest-dynamodb-config.cjs', 'jest-dynamodb-config.json']) {
    const file = path.join(root, name);
    if (fs.existsSync(file)) {
      const config = require(file);
      return {port: 0, tables: [], ...(typeof config === 'function' ? await config() : config)};
    }
  }
  return {port: 0, tables: []};
}

async function post(server, operation, body) {
  const answer = await fetch(server.endpoint, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/x-amz-json-1.0',
      'X-Amz-Target': `DynamoDB_20120810.${operation}`,
      'X-Amz-Date': '20250101T000000Z',
      Authorization: `AWS4-HMAC-SHA256 Credential=prejoin/20250101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=${'0'.repeat(64)}`,
    },
    body: JSON.stringify(body),
  });
  if (!answer.ok) {
    throw new Error(`${operation}: ${await answer.text()}`);
  }
}

module.exports = async (globalConfig) => {
  const {port, tables, basePort} = await tablesOf(globalConfig.rootDir);
  const server = await start({port: port || basePort || 0});
  globalThis.__PREJOIN_SERVER__ = server;
  for (const {data: _data, items: _items, ...table} of tables) {
    await post(server, 'CreateTable', table);
  }
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: server.endpoint,
    MOCK_DYNAMODB_ENDPOINT: server.endpoint,
    AWS_ACCESS_KEY_ID: server.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: server.credentials.secretAccessKey,
    AWS_REGION: process.env.AWS_REGION ?? server.region,
  });
};
