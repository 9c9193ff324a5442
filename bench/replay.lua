-- Sends what a file holds, again and again: wrk -t1 -c32 -d2 -s bench/replay.lua URL -- FILE
-- Each request stands behind a line with its length. Nothing is made or changed here, so that signatures hold.
local requests = {}
local position = 0

function init(arguments)
  local file = assert(io.open(arguments[1], "rb"))
  for length in function() return file:read("*n") end do
    file:read(1)
    requests[#requests + 1] = file:read(length)
  end
  file:close()
end

function request()
  position = position % #requests + 1
  return requests[position]
end

function done(summary, latency)
  local errors = summary.errors
  print(string.format('RESULT {"requests":%d,"microseconds":%d,"refused":%d,"broken":%d}', summary.requests, summary.duration,
    errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end
