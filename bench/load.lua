-- One kind of request over many keys: wrk -t1 -c32 -d2 --latency -s bench/load.lua URL -- OPERATION COUNT
-- COUNT is the number of keys that bench/run has loaded; a third argument says how many of them to visit (10,000).
-- The requests are built once, so that wrk itself costs little.
local headers = {
  ["Content-Type"] = "application/x-amz-json-1.0",
  ["User-Agent"] = "aws-sdk-js/3.948.0 ua/2.1 os/linux lang/js md/nodejs#20.11.1 api/dynamodb#3.948.0",
  ["X-Amz-Date"] = "20260101T000000Z",
  ["X-Amz-User-Agent"] = "aws-sdk-js/3.948.0",
  ["amz-sdk-invocation-id"] = "b0b8a4a6-5f5c-4b8e-8a7e-1b2c3d4e5f60",
  ["amz-sdk-request"] = "attempt=1; max=3",
  ["X-Amz-Content-Sha256"] = string.rep("8f434346", 8),
  ["Authorization"] = "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260101/us-east-1/dynamodb/aws4_request, "
    .. "SignedHeaders=content-length;content-type;host;x-amz-content-sha256;x-amz-date;x-amz-target, Signature="
    .. string.rep("5d672d79", 8),
}

local function student(number)
  return string.format('{"pk":{"S":"STUDENT#%08d"},"sk":{"S":"PROFILE"}', number)
end

local function item(number)
  return student(number) .. ',"name":{"S":"Ada Lovelace"},"year":{"N":"3"},"email":{"S":"ada@example.edu"},'
    .. '"major":{"S":"Mathematics"},"gpa":{"N":"3.97"},"courses":{"L":[{"S":"C1"},{"S":"C2"}]},"active":{"BOOL":true}}'
end

local function visit(number)
  return '"TableName":"BenchStudents","Key":' .. student(number) .. '},'
    .. '"UpdateExpression":"SET visits = if_not_exists(visits, :zero) + :one",'
    .. '"ExpressionAttributeValues":{":zero":{"N":"0"},":one":{"N":"1"}}'
end

-- Each takes a number from 0 to COUNT - 1.
local bodies = {
  GetItem = function(number)
    return '{"TableName":"BenchStudents","Key":' .. student(number) .. '}}'
  end,
  PutItem = function(number)
    return '{"TableName":"BenchStudents","Item":' .. item(number) .. '}'
  end,
  UpdateItem = function(number)
    return '{' .. visit(number) .. '}'
  end,
  -- 20 items in each collection.
  Query20 = function(number)
    return string.format('{"TableName":"BenchOrders","KeyConditionExpression":"pk = :pk",'
      .. '"ExpressionAttributeValues":{":pk":{"S":"CUSTOMER#%08d"}}}', math.floor(number / 20))
  end,
  -- 50 items under each index key.
  QueryGsi50 = function(number)
    return string.format('{"TableName":"BenchOrders","IndexName":"GSI1","KeyConditionExpression":"GSI1PK = :pk",'
      .. '"ExpressionAttributeValues":{":pk":{"S":"PRODUCT#%08d"}}}', math.floor(number / 50))
  end,
  -- Neighbouring pairs: no two of the requests in flight share an item.
  TransactWriteItems = function(number)
    local even = number - number % 2
    return '{"TransactItems":[{"Update":{' .. visit(even) .. '}},{"Update":{' .. visit(even + 1) .. '}}]}'
  end,
}
local targets = { Query20 = "Query", QueryGsi50 = "Query" }

dofile(debug.getinfo(1, "S").source:match("^@(.*/)") .. "rounds.lua")

function init(arguments)
  local operation, count = arguments[1], tonumber(arguments[2])
  local visited = math.min(count, tonumber(arguments[3] or 10000))
  headers["X-Amz-Target"] = "DynamoDB_20120810." .. (targets[operation] or operation)
  -- A step that shares no factor with the count visits every key once, in an order that is no order to a cache.
  local step = 7919 * 613
  for index = 0, visited - 1 do
    requests[#requests + 1] = wrk.format("POST", "/", headers, bodies[operation]((index * step) % count))
  end
end
