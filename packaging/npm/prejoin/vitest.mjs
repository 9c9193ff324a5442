// test: {globalSetup: ['prejoin/vitest']} in Vitest's configuration: one server for all tests. AWS_ENDPOINT_URL_DYNAMODB points at it, and
// inject('dynamodb') gives endpoint, region and credentials.
import prejoin from './index.js';

export default async function setup(project) {
  const server = await prejoin.start();
  const {endpoint, region, credentials} = server;
  project?.provide?.('dynamodb', {endpoint, region, credentials});
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_REGION: process.env.AWS_REGION ?? region,
  });
  return () => server.stop();
}
