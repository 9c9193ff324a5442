// In place of a set-up that would start DynamoDB Local.
module.exports = async () => {};
