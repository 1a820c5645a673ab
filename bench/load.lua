-- Sends prepared requests by wrk. Arguments: the file, the number of threads, and 'again' if the requests may be repeated.
-- Each line of the file is one request: user, a header, method, path and body, separated by tabs. Each thread has its own part
-- of the lines, so that no request is sent twice, unless 'again' is given.

local ffi = require("ffi")
ffi.cdef("typedef struct { long seconds; long nanoseconds; } bench_time; int clock_gettime(int clock, bench_time *time);")

local threads = {}

function setup(thread)
    thread:set("part", #threads)
    table.insert(threads, thread)
end

local file, parts, next_part
local requests, last

local function now()
    local time = ffi.new("bench_time")
    -- 1 is CLOCK_MONOTONIC.
    ffi.C.clock_gettime(1, time)
    return tonumber(time.seconds) + tonumber(time.nanoseconds) / 1e9
end

local function prepared(line)
    local _, header, method, path, body = line:match("^([^\t]*)\t([^\t]*)\t([^\t]*)\t([^\t]*)\t(.*)$")
    local headers = { ["Sec-Fetch-Site"] = "same-origin" }
    local name, value = header:match("^([^:]*): (.*)$")
    if name then headers[name] = value end
    if body == "" then return wrk.format(method, path, headers, nil) end
    headers["Content-Type"] = "application/json"
    return wrk.format(method, path, headers, body)
end

-- The next line of this thread's part.
local function next_line()
    repeat
        local line = file:read("*l")
        local is_mine = next_part == part
        next_part = (next_part + 1) % parts
        if is_mine or not line then return line end
    until false
end

-- Threads start one after another, so this must be short. Requests that are sent once are read when they are sent. Those that
-- are repeated are few, and every thread repeats all of them.
function init(args)
    file, parts, next_part = assert(io.open(args[1])), tonumber(args[2]), 0
    began, ended = 0, 0
    if args[3] ~= "again" then return end
    requests = {}
    for line in file:lines() do table.insert(requests, prepared(line)) end
    last = math.floor(part * #requests / parts)
end

function request()
    if began == 0 then began = now() end
    if requests then
        last = last % #requests + 1
        return requests[last]
    end
    local line = ended == 0 and next_line()
    if line then return prepared(line) end
    -- The answer to this last request is not counted.
    if ended == 0 then ended = now() end
    wrk.thread:stop()
    return wrk.format("GET", "/healthz")
end

function done(summary, latency)
    local seconds, ran_out = 0, false
    for _, thread in ipairs(threads) do
        local has_ended = thread:get("ended") > 0
        ran_out = ran_out or has_ended
        -- wrk itself always waits for the whole time.
        local took = has_ended and thread:get("ended") - thread:get("began") or summary.duration / 1e6
        seconds = math.max(seconds, took)
    end
    local errors = summary.errors
    io.write(string.format(
        '\nRESULT {"requests": %d, "seconds": %.6f, "p50_ms": %.3f, "p99_ms": %.3f, "max_ms": %.3f, "ran_out": %s, ' ..
        '"refused": %d, "broken": %d}\n',
        summary.requests, seconds, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, latency.max / 1e3,
        tostring(ran_out), errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end
