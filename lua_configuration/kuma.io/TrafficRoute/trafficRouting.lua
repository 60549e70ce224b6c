-- Kuma, TrafficRoute (kuma.io/v1alpha1; Kuma 2.6 replaced it with MeshHTTPRoute).
--
-- ConfigMap key: lua.traffic.routing.TrafficRoute.kuma.io
-- Rollout:       trafficRoutings:
--                - service: web
--                  customNetworkRefs: [{apiVersion: kuma.io/v1alpha1, kind: TrafficRoute, name: web}]
--
-- The service is every destination with the tag kuma.io/service <service> or <service>_<namespace>_svc_<port>.
-- Weights: each destination or split of the service, in spec.conf and in spec.conf.http, splits its share. Matches: for
-- each of them an earlier entry of spec.conf.http, a list that Kuma reads in order; matches win over a weight. Headers,
-- cookies and paths, exact or by regular expression (which Kuma matches as a whole). requestHeaderModifier on matches
-- becomes modify.requestHeaders.
-- Refuses: query parameters (use MeshHTTPRoute), Host, an empty match, a header that an entry of the route already
-- matches, a regular expression as path with an entry with a path, a path with rewritePrefix, a header modifier without
-- matches.

local function refuse(message)
  error("TrafficRoute: " .. message, 0)
end

-- JSON encoding fails for a table that occurs twice in the result.
local function copy(value)
  if type(value) ~= "table" then
    return value
  end
  local result = {}
  for key, item in pairs(value) do
    result[key] = copy(item)
  end
  return result
end

-- An empty table becomes null, which the API server drops, so the object never reaches the desired state.
local function checkNoEmptyTables(value, place)
  if type(value) ~= "table" then
    return
  end
  if next(value) == nil then
    refuse(place .. " is an empty object or list, which Kruise Rollouts writes as null and then waits for ever: "
      .. "remove it, or give it a field")
  end
  local keys = {}
  for key in pairs(value) do
    keys[#keys + 1] = key
  end
  table.sort(keys)
  for _, key in ipairs(keys) do
    checkNoEmptyTables(value[key], place .. (type(key) == "number" and "[" .. (key - 1) .. "]" or "." .. key))
  end
end

local function checkObject()
  checkNoEmptyTables(obj.data.spec or {}, "spec")
  if obj.canaryService == obj.stableService then
    refuse("the canary service " .. obj.canaryService .. " is the stable service, so nothing can be split: "
      .. "remove disableGenerateCanaryService, and use a Rollout instead of a TrafficRouting")
  end
end

local function headerModifier()
  local modifier = obj.requestHeaderModifier
  if modifier ~= nil and next(modifier) ~= nil then
    return modifier
  end
  return nil
end

local function escapeRegex(text)
  return (string.gsub(text, "%p", function(character)
    if string.find("\\.+*?()[]{}^$|", character, 1, true) then
      return "\\" .. character
    end
  end))
end

-- Matches one cookie in a Cookie header that may have others.
local function cookieTest(pair)
  return { name = "cookie", regex = true, value = "(.*; ?)?" .. escapeRegex(pair) .. "(;.*)?" }
end

local function readHeader(header)
  local name, value = string.lower(header.name), header.value
  local regex = header.type == "RegularExpression"
  if name == "host" then
    refuse("a step cannot match the header Host: TrafficRoute selects services, not hosts")
  end
  if name == "canary-by-cookie" then
    if regex then
      refuse("canary-by-cookie takes the name of a cookie, not a regular expression: match the header cookie instead")
    end
    return cookieTest(value .. "=always")
  end
  if name == "cookie" and not regex then
    if not string.find(value, "=", 1, true) then
      refuse("the cookie match " .. value .. " has no value: write it as name=value")
    end
    return cookieTest(value)
  end
  return { name = name, regex = regex, value = value }
end

-- The path of a match; nil if it matches any path.
local function readPath(path)
  if path == nil then
    return nil
  end
  local kind, value = path.type or "PathPrefix", path.value or "/"
  if kind == "PathPrefix" then
    value = string.gsub(value, "/+$", "")
    if value == "" then
      return nil
    end
  end
  return { type = kind, value = value }
end

local function readMatch(match, number)
  local read = { number = number, path = readPath(match.path), headers = {}, params = {} }
  for index, header in ipairs(match.headers or {}) do
    read.headers[index] = readHeader(header)
  end
  for index, param in ipairs(match.queryParams or {}) do
    read.params[index] = { name = param.name, value = param.value, regex = param.type == "RegularExpression" }
  end
  if read.path == nil and #read.headers + #read.params == 0 then
    refuse("match " .. number .. " matches every request: add a header, a path, or use traffic: 100%")
  end
  return read
end

local function readMatches()
  local matches = {}
  for number, match in ipairs(obj.matches or {}) do
    matches[number] = readMatch(match, number)
  end
  return matches
end

local TAG = "kuma.io/service"

-- The name of the canary for a tag of the stable service; nil for another service.
local function canaryTag(tag)
  if tag == obj.stableService then
    return obj.canaryService
  end
  local rest = string.sub(tag or "", #obj.stableService + 1)
  if string.sub(tag or "", 1, #obj.stableService) == obj.stableService and string.find(rest, "^_.+_svc_%d+$") then
    return obj.canaryService .. rest
  end
  return nil
end

local function isStable(destination)
  return canaryTag((destination or {})[TAG]) ~= nil
end

local function toCanary(destination)
  local canary = copy(destination)
  canary[TAG] = canaryTag(destination[TAG])
  return canary
end

local function routesToStable(route)
  local found = isStable(route.destination)
  for _, entry in ipairs(route.split or {}) do
    found = found or isStable(entry.destination)
  end
  return found
end

-- `route` is spec.conf or an entry of spec.conf.http: both have either a destination or a split.
local function split(route)
  local entries = route.split or { { weight = 1, destination = route.destination } }
  local result = {}
  for _, entry in ipairs(entries) do
    local share = #entries == 1 and 1 or entry.weight or 0
    if isStable(entry.destination) then
      result[#result + 1] = { weight = share * (100 - obj.canaryWeight), destination = entry.destination }
      result[#result + 1] = { weight = share * obj.canaryWeight, destination = toCanary(entry.destination) }
    else
      result[#result + 1] = { weight = share * 100, destination = entry.destination }
    end
  end
  route.split = result
  route.destination = nil
end

local function matcher(test)
  return test.regex and { regex = test.value } or { exact = test.value }
end

local function pathMatcher(path)
  if path.type == "Exact" then
    return { exact = path.value }
  end
  if path.type == "RegularExpression" then
    return { regex = path.value }
  end
  return { regex = escapeRegex(path.value) .. "(/.*)?" }
end

local function under(path, prefix)
  return path == prefix or string.sub(path, 1, #prefix + 1) == prefix .. "/"
end

-- The requests that match both an entry of the route and a match; nil if there are none.
local function narrow(existing, path)
  if path == nil then
    return existing
  end
  if existing == nil or existing.prefix == "/" then
    return pathMatcher(path)
  end
  if existing.regex ~= nil or path.type == "RegularExpression" then
    refuse("the path " .. path.value .. " of a match cannot be combined with the path of an entry of spec.conf.http, "
      .. "since one of them is a regular expression: use a prefix or an exact path")
  end
  if existing.exact ~= nil then
    local hit = existing.exact == path.value or (path.type == "PathPrefix" and under(existing.exact, path.value))
    return hit and existing or nil
  end
  -- A prefix of TrafficRoute can end anywhere in the path; the prefix of a match ends at a slash.
  if string.sub(path.value, 1, #existing.prefix) == existing.prefix then
    return pathMatcher(path)
  end
  if path.type == "PathPrefix" and under(existing.prefix, path.value) then
    return existing
  end
  return nil
end

local function addHeaders(existing, match)
  local headers, names = copy(existing) or {}, {}
  for name in pairs(headers) do
    names[string.lower(name)] = true
  end
  for _, header in ipairs(match.headers) do
    if names[header.name] then
      refuse("match " .. match.number .. " matches the header " .. header.name .. ", which is matched twice then: "
        .. "TrafficRoute takes one test for a header, use a regular expression, or MeshHTTPRoute")
    end
    names[header.name] = true
    headers[header.name] = matcher(header)
  end
  return next(headers) and headers
end

local function modifyHeaders(modify, modifier)
  local result = copy(modify) or {}
  result.requestHeaders = result.requestHeaders or {}
  local add, remove = result.requestHeaders.add or {}, result.requestHeaders.remove or {}
  for _, header in ipairs(modifier.set or {}) do
    add[#add + 1] = { name = header.name, value = header.value, append = false }
  end
  for _, header in ipairs(modifier.add or {}) do
    add[#add + 1] = { name = header.name, value = header.value, append = true }
  end
  for _, name in ipairs(modifier.remove or {}) do
    remove[#remove + 1] = { name = name }
  end
  result.requestHeaders.add = next(add) and add
  result.requestHeaders.remove = next(remove) and remove
  return result
end

-- The entry of spec.conf.http for one match on one route; nil if no such request reaches the route.
local function canaryEntry(route, match, modifier)
  local existing = route.match or {}
  local path = narrow(existing.path, match.path)
  if match.path ~= nil and path == nil then
    return nil
  end
  if path ~= existing.path and ((route.modify or {}).path or {}).rewritePrefix ~= nil then
    refuse("match " .. match.number .. " has a path, and an entry of spec.conf.http rewrites the prefix that it matches: "
      .. "match a header, or rewrite with modify.path.regex")
  end
  match.reached = true
  local entry = { modify = copy(route.modify) }
  entry.match = { method = copy(existing.method), path = copy(path), headers = addHeaders(existing.headers, match) }
  if modifier ~= nil then
    entry.modify = modifyHeaders(route.modify, modifier)
  end
  if route.destination ~= nil then
    entry.destination = toCanary(route.destination)
    return entry
  end
  entry.split = copy(route.split)
  for _, part in ipairs(entry.split) do
    if isStable(part.destination) then
      part.destination = toCanary(part.destination)
    end
  end
  return entry
end

checkObject()
local conf = obj.data.spec.conf or {}
local matches, modifier = readMatches(), headerModifier()
for _, match in ipairs(matches) do
  if #match.params > 0 then
    refuse("match " .. match.number
      .. " has query parameters, which TrafficRoute cannot match: use MeshHTTPRoute, or a header")
  end
end
if modifier ~= nil and #matches == 0 then
  refuse("requestHeaderModifier needs matches: headers of a weighted share cannot be modified alone")
end

local entries, found = {}, false
local function visit(route)
  if not routesToStable(route) then
    return
  end
  found = true
  for _, match in ipairs(matches) do
    entries[#entries + 1] = canaryEntry(route, match, modifier)
  end
  if #matches == 0 and obj.canaryWeight >= 0 then
    split(route)
  end
end
for _, entry in ipairs(conf.http or {}) do
  visit(entry)
  entries[#entries + 1] = entry
end
-- spec.conf itself applies if no entry of the list matches.
visit(conf)
if not found then
  refuse("no destination of spec.conf is service " .. obj.stableService
    .. ": correct service or customNetworkRefs of the "
    .. "Rollout, and name the service in the tag kuma.io/service")
end
for _, match in ipairs(matches) do
  if not match.reached then
    refuse("match " .. match.number .. " asks for the path " .. match.path.value .. ", which never reaches service "
      .. obj.stableService .. ": correct the path of the match")
  end
end
conf.http = next(entries) and entries

return { spec = obj.data.spec, labels = obj.data.labels, annotations = obj.data.annotations }
