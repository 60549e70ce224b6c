-- Contour: canary by editing an HTTPProxy (projectcontour.io/v1).
--
-- ConfigMap key: lua.traffic.routing.HTTPProxy.projectcontour.io
-- Rollout:       trafficRoutings:
--                - service: web
--                  customNetworkRefs: [{apiVersion: projectcontour.io/v1, kind: HTTPProxy, name: web}]
--
-- Weights: every route with the service splits its share, also tcpproxy. Matches: for each route of the service and
-- each match a copy with the conditions of both; Contour takes the route with more conditions. Matches win over a weight.
-- Headers, cookies, query parameters and paths. requestHeaderModifier (set and remove) is given to the canary service.
-- Contour 1.25 and later; regular expressions (cookies too) and exact or prefix paths need the fields `regex` and `exact`
-- in the installed CRD, which drops unknown fields silently: Contour 1.27 and later.
-- Refuses: Host, an empty match, matches on a tcpproxy, a path in an HTTPProxy that another one includes, a regular
-- expression as path with routes of other services, a route of another service with headers or query parameters that
-- compete for the same requests, a path with a pathRewritePolicy, header modifiers that add.

local function refuse(message)
  error("HTTPProxy: " .. message, 0)
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
    refuse("a step cannot match the header Host: give the host an HTTPProxy of its own")
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
  return { name = header.name, regex = regex, value = value }
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
    refuse("match " .. number
      .. " matches every request: add a header, a query parameter or a path, or use traffic: 100%")
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

local function isStable(service)
  return service.name == obj.stableService and not service.mirror
end

local function routesToStable(services)
  for _, service in ipairs(services or {}) do
    if isStable(service) then
      return true
    end
  end
  return false
end

local function toCanary(service, modifier)
  local canary = copy(service)
  canary.name = obj.canaryService
  if modifier == nil then
    return canary
  end
  local policy = canary.requestHeadersPolicy or {}
  policy.set, policy.remove = policy.set or {}, policy.remove or {}
  for _, header in ipairs(modifier.set or {}) do
    table.insert(policy.set, { name = header.name, value = header.value })
  end
  for _, name in ipairs(modifier.remove or {}) do
    table.insert(policy.remove, name)
  end
  policy.set, policy.remove = next(policy.set) and policy.set, next(policy.remove) and policy.remove
  canary.requestHeadersPolicy = policy
  return canary
end

-- Contour gives every service the same share if none has a weight.
local function split(services, modifier)
  local total, count, result = 0, 0, {}
  for _, service in ipairs(services) do
    if not service.mirror then
      total, count = total + (service.weight or 0), count + 1
    end
  end
  for _, service in ipairs(services) do
    local share = (count == 1 or total == 0) and 1 or service.weight or 0
    if isStable(service) then
      local canary = toCanary(service, modifier)
      canary.weight = share * obj.canaryWeight
      service.weight = share * (100 - obj.canaryWeight)
      result[#result + 1] = service
      result[#result + 1] = canary
    else
      if not service.mirror then
        service.weight = share * 100
      end
      result[#result + 1] = service
    end
  end
  return result
end

-- The path condition of a route and all others.
local function readConditions(route)
  local path, others = { kind = "prefix", value = "/", implied = true }, {}
  for _, condition in ipairs(route.conditions or {}) do
    local kind = (condition.prefix and "prefix") or (condition.exact and "exact") or (condition.regex and "regex")
    if kind then
      path = { kind = kind, value = condition[kind] }
    else
      others[#others + 1] = condition
    end
  end
  return path, others
end

local function under(path, prefix)
  prefix = string.gsub(prefix, "/+$", "")
  return path == prefix or string.sub(path, 1, #prefix + 1) == prefix .. "/"
end

-- A prefix of Contour can end within a name; the prefix of a match ends at a slash. This needs two conditions.
local function pathConditions(path)
  if path.type == "Exact" then
    return { { kind = "exact", value = path.value } }
  end
  if path.type == "RegularExpression" then
    return { { kind = "regex", value = path.value } }
  end
  return { { kind = "exact", value = path.value }, { kind = "prefix", value = path.value .. "/" } }
end

-- The requests that match both a route and a match.
local function narrow(existing, path)
  if path == nil then
    return { existing }
  end
  if existing.kind == "prefix" and existing.value == "/" then
    return pathConditions(path)
  end
  if existing.kind == "regex" or path.type == "RegularExpression" then
    refuse("the path " .. path.value .. " of a match cannot be combined with the path " .. existing.value
      .. " of a route, "
      .. "since one of them is a regular expression: use a prefix or an exact path")
  end
  if existing.kind == "exact" then
    local hit = existing.value == path.value or (path.type == "PathPrefix" and under(existing.value, path.value))
    return hit and { existing } or {}
  end
  if under(path.value, existing.value) then
    return pathConditions(path)
  end
  return path.type == "PathPrefix" and under(existing.value, path.value) and { existing } or {}
end

-- A more specific path wins. It must not take requests of a more specific route.
local function isTaken(path, existing, original, routes)
  for _, route in ipairs(routes) do
    local other, conditions = readConditions(route)
    if route ~= original and #conditions == 0 then
      if other.kind == "prefix" and #other.value > #existing.value and under(path.value, other.value) then
        return true
      end
      if other.kind == "exact" and path.kind == "exact" and path.value == other.value then
        return true
      end
    end
  end
  return false
end

-- Another service's route with headers or query parameters takes its requests before the route of this service. The
-- route of the canary has such conditions too, so the number of conditions would decide which one wins.
local function checkCompeting(existing, match, routes)
  for _, route in ipairs(routes) do
    local other, conditions = readConditions(route)
    local foreign = not routesToStable(route.services)
    if foreign and #conditions > 0 and (under(existing.value, other.value) or under(other.value, existing.value)) then
      refuse("a route for the path " .. other.value
        .. " sends requests by header or query parameter to another service, and could "
        .. "lose them to the canary: give it a path of its own")
    end
    if foreign and match.path ~= nil and (match.path.type == "RegularExpression" or other.kind == "regex") then
      refuse("match " .. match.number .. " could take requests from the route for the path " .. other.value
        .. ", since one of "
        .. "them is a regular expression: use a prefix or an exact path")
    end
  end
end

-- Contour serves none of the routes of an HTTPProxy with two exact conditions on one header.
local function checkExactOnce(conditions, header, match)
  for _, condition in ipairs(conditions) do
    local other = condition.header
    if not header.regex and other ~= nil and other.exact ~= nil and string.lower(other.name) == string.lower(header.name) then
      refuse("match " .. match.number .. " and its route both have an exact condition on the header " .. header.name
        .. ", with which Contour drops every route of the HTTPProxy: match another header, or a regular expression")
    end
  end
end

local function addConditions(conditions, match)
  for _, header in ipairs(match.headers) do
    checkExactOnce(conditions, header, match)
    table.insert(conditions, { header = { name = header.name, [header.regex and "regex" or "exact"] = header.value } })
  end
  for _, param in ipairs(match.params) do
    table.insert(conditions, { queryParameter = { name = param.name, [param.regex and "regex" or "exact"] = param.value } })
  end
  return conditions
end

-- The routes of one match for one route, and whether they cover all of its requests.
local function canaryRoutes(route, match, modifier, routes)
  local existing, others = readConditions(route)
  checkCompeting(existing, match, routes)
  local result, replaced = {}, false
  for _, path in ipairs(narrow(existing, match.path)) do
    if path == existing or not isTaken(path, existing, route, routes) then
      if path ~= existing and route.pathRewritePolicy ~= nil then
        refuse("match " .. match.number .. " has a path, and the route for " .. existing.value .. " rewrites the prefix that it "
          .. "matches: match a header instead")
      end
      match.reached = true
      replaced = path == existing and #match.headers + #match.params == 0
      local canary = copy(route)
      canary.conditions = {}
      for _, condition in ipairs(others) do
        table.insert(canary.conditions, copy(condition))
      end
      addConditions(canary.conditions, match)
      -- Contour takes the kind of the path from the last of all conditions: before another one, `exact` is a prefix. An
      -- implied path is not written: in an included HTTPProxy, Contour would append it to the path there.
      if not path.implied then
        table.insert(canary.conditions, path.kind == "exact" and #canary.conditions + 1 or 1, { [path.kind] = path.value })
      end
      for index, service in ipairs(canary.services) do
        if isStable(service) then
          canary.services[index] = toCanary(service, modifier)
        end
      end
      result[#result + 1] = canary
    end
  end
  return result, replaced
end

checkObject()
local spec = obj.data.spec
local matches, modifier = readMatches(), headerModifier()
if modifier ~= nil and modifier.add ~= nil then
  refuse("Contour cannot add to a header, only set or remove it: use requestHeaderModifier.set")
end
for _, match in ipairs(matches) do
  if match.path ~= nil and spec.virtualhost == nil then
    refuse("match " .. match.number
      .. " has a path, and this HTTPProxy is included by another one with a path of its own: "
      .. "match a header, or name the HTTPProxy with the virtualhost in customNetworkRefs")
  end
end

local routes, found = {}, false
for _, route in ipairs(spec.routes or {}) do
  if routesToStable(route.services) then
    found = true
    local replaced = false
    for _, match in ipairs(matches) do
      local canaries, all = canaryRoutes(route, match, modifier, spec.routes)
      replaced = replaced or all
      for _, canary in ipairs(canaries) do
        routes[#routes + 1] = canary
      end
    end
    if #matches == 0 and obj.canaryWeight >= 0 then
      route.services = split(route.services, modifier)
    end
    -- Contour uses either of two routes with the same conditions.
    routes[#routes + 1] = not replaced and route or nil
  else
    routes[#routes + 1] = route
  end
end
spec.routes = next(routes) and routes
if spec.tcpproxy ~= nil and routesToStable(spec.tcpproxy.services) then
  found = true
  if #matches > 0 then
    refuse("the tcpproxy sends connections to service " .. obj.stableService
      .. ", and connections have no headers or paths: "
      .. "use traffic instead of matches")
  end
  if obj.canaryWeight >= 0 then
    spec.tcpproxy.services = split(spec.tcpproxy.services, nil)
  end
end
if not found then
  refuse("no route has the service " .. obj.stableService
    .. ": correct service or customNetworkRefs of the Rollout; an HTTPProxy "
    .. "that only includes others is not where to split")
end
for _, match in ipairs(matches) do
  if not match.reached then
    refuse("match " .. match.number .. " asks for the path " .. match.path.value .. ", which never reaches service "
      .. obj.stableService .. ": correct the path of the match")
  end
end

return { spec = spec, labels = obj.data.labels, annotations = obj.data.annotations }
