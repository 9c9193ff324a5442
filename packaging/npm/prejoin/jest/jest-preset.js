// "preset": "prejoin" in Jest's configuration: one server for all tests; AWS_ENDPOINT_URL_DYNAMODB points at it.
'use strict';

module.exports = {
  globalSetup: require.resolve('./setup.js'),
  globalTeardown: require.resolve('./teardown.js'),
};
