-- Sends prepared requests by wrk. Arguments: the file, the number of threads, and 'again' if the requests may be repeated.
-- Each line of the file is one request: user, a header, method, path and body, separated by tabs. Each thread has its own part
-- of the lines, so no request is sent twice unless 'again' is given.

local threads = {}

function setup(thread)
    thread:set("part", #threads)
    table.insert(threads, thread)
end

local requests = {}
local last = 0
local may_repeat

local function prepared(line)
    local _, header, method, path, body = line:match("^([^\t]*)\t([^\t]*)\t([^\t]*)\t([^\t]*)\t(.*)$")
    local headers = { ["Sec-Fetch-Site"] = "same-origin" }
    local name, value = header:match("^([^:]*): (.*)$")
    if name then headers[name] = value end
    if body == "" then return wrk.format(method, path, headers, nil) end
    headers["Content-Type"] = "application/json"
    return wrk.format(method, path, headers, body)
end

function init(args)
    local parts, number = tonumber(args[2]), 0
    may_repeat = args[3] == "again"
    ran_out = false
    for line in io.lines(args[1]) do
        if number % parts == part then table.insert(requests, prepared(line)) end
        number = number + 1
    end
end

function request()
    last = last + 1
    if last > #requests then
        if may_repeat then
            last = 1
        else
            -- The answer to this last request is not counted.
            ran_out = true
            wrk.thread:stop()
            return wrk.format("GET", "/healthz")
        end
    end
    return requests[last]
end

function done(summary, latency)
    local out = false
    for _, thread in ipairs(threads) do out = out or thread:get("ran_out") end
    local errors = summary.errors
    io.write(string.format(
        '\nRESULT {"requests": %d, "seconds": %.6f, "p50_ms": %.3f, "p99_ms": %.3f, "max_ms": %.3f, "ran_out": %s, ' ..
        '"refused": %d, "broken": %d}\n',
        summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
        latency.max / 1e3, tostring(out), errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end
