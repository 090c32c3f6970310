-- Sends the requests of a plan, which bench/requests.ts writes, and prints as JSON what came back.

local plan
local position = 0
local threads = {}
local delayed = 0

local marks = {
  ['<number>'] = function(n) return string.format('%010d', n) end,
  ['<mobile>'] = function(n) return string.format('9891%06d%02d', n % 1000000, (n * 2) % 88) end,
  ['<token>'] = function(n) return plan.tokens[n % #plan.tokens + 1] end,
}

-- Each thread has a state of its own; what they counted is gathered when all is done.
function setup(thread)
  table.insert(threads, thread)
end

function init(args)
  plan = dofile(args[1])
  for _, kind in ipairs(plan.kinds) do kind.sent = 0 end
  statuses = {}
  -- Looking at each answer costs most where answers are large: there wrk's own count has to do.
  if args[4] ~= 'statuses' then response = nil end
  connections, settle = tonumber(args[2]), tonumber(args[3])
end

-- A connection's first request waits until the server has taken all connections: it takes one between
-- two rounds of work, and under full load the last ones would wait for seconds to be heard at all.
function delay()
  delayed = delayed + 1
  return delayed <= connections and settle or 0
end

function request()
  position = position % #plan.order + 1
  local kind = plan.kinds[plan.order[position]]
  local n = kind.sent % kind.cycle
  kind.sent = kind.sent + 1
  local text = {}
  for index, part in ipairs(kind.parts) do
    local mark = marks[part]
    text[index] = mark and mark(n) or part
  end
  return table.concat(text)
end

function response(status)
  -- A purchase that is pending is answered 2xx too, and is not what was asked for.
  if status ~= 200 then
    local name = tostring(status)
    statuses[name] = (statuses[name] or 0) + 1
  end
end

function done(summary, latency)
  local others, known = {}, 0
  for _, thread in ipairs(threads) do
    for status, count in pairs(thread:get('statuses')) do
      others[status] = (others[status] or 0) + count
      known = known + count
    end
  end
  if known == 0 then others['4xx or 5xx'] = summary.errors.status end
  others['not connected'] = summary.errors.connect
  others['lost'] = summary.errors.read + summary.errors.write
  others['slower than 2 s'] = summary.errors.timeout
  local list = {}
  for name, count in pairs(others) do
    if count > 0 then table.insert(list, string.format('"%s":%d', name, count)) end
  end
  local ms = function(share) return latency:percentile(share) / 1000 end
  io.write(string.format(
    '\n{"requests":%d,"seconds":%.6f,"bytes":%d,"p50":%.3f,"p99":%.3f,"p999":%.3f,"others":{%s}}\n',
    summary.requests, summary.duration / 1e6, summary.bytes, ms(50), ms(99), ms(99.9),
    table.concat(list, ',')
  ))
end
