'use strict';
const {DynamoDBClient, GetItemCommand, PutItemCommand} = require('@aws-sdk/client-dynamodb');

const client = new DynamoDBClient({});

exports.song = async (event) => {
  const artist = {S: decodeURIComponent(event.pathParameters.artist)};
  const year = event.queryStringParameters?.year;
  if (year) {
    await client.send(new PutItemCommand({TableName: 'ServerlessSongs', Item: {artist, year: {N: year}}}));
  }
  const {Item} = await client.send(new GetItemCommand({TableName: 'ServerlessSongs', Key: {artist}}));
  return {statusCode: 200, body: JSON.stringify({year: Number(Item.year.N)})};
};
