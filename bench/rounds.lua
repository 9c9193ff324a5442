-- Sends a list of requests again and again, and says what came of it: for scripts that fill `requests` in init.
requests = {}
local sent = requests -- A local is found faster.
local position = 0

function request()
  position = position % #sent + 1
  return sent[position]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format('RESULT {"requests":%d,"microseconds":%d,"p50_us":%d,"p99_us":%d,"refused":%d,"broken":%d}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), errors.status,
    errors.connect + errors.read + errors.write + errors.timeout))
end
