-- Traefik: canary by editing an IngressRoute (traefik.io/v1alpha1). For Traefik 3, with its rule syntax.
--
-- ConfigMap key: lua.traffic.routing.IngressRoute.traefik.io
-- Rollout:       trafficRoutings:
--                - service: web
--                  customNetworkRefs: [{apiVersion: traefik.io/v1alpha1, kind: IngressRoute, name: web}]
--
-- Weights: every route with the service splits its share. Matches: for each route of the service one copy with the rule
-- (the rule) && (the matches), with a priority one higher; matches win over a weight. Headers, cookies, query parameters
-- and paths, exact or by regular expression (as a whole: they are anchored).
-- Refuses: rules in the syntax of Traefik 2, Host, an empty match, header modifiers (use a Middleware), and another
-- route that already has the priority of a copy.

local function refuse(message)
  error("IngressRoute: " .. message, 0)
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
    refuse("a step cannot match the header Host: write a route with Host(`...`) in the IngressRoute")
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
  return service.name == obj.stableService and (service.kind or "Service") == "Service"
end

local function routesToStable(services)
  for _, service in ipairs(services or {}) do
    if isStable(service) then
      return true
    end
  end
  return false
end

-- Traefik gives a service without weight the weight 1.
local function split(services)
  local result = {}
  for _, service in ipairs(services) do
    local share = #services == 1 and 1 or service.weight or 1
    result[#result + 1] = service
    if isStable(service) then
      local canary = copy(service)
      canary.name = obj.canaryService
      canary.weight = share * obj.canaryWeight
      service.weight = share * (100 - obj.canaryWeight)
      result[#result + 1] = canary
    else
      service.weight = share * 100
    end
  end
  return result
end

-- Values are string literals of Go.
local function quote(text)
  if not string.find(text, "`", 1, true) then
    return "`" .. text .. "`"
  end
  return '"' .. string.gsub(string.gsub(text, "\\", "\\\\"), '"', '\\"') .. '"'
end

local function call(matcher, ...)
  local arguments = {}
  for index, argument in ipairs({ ... }) do
    arguments[index] = quote(argument)
  end
  return matcher .. "(" .. table.concat(arguments, ", ") .. ")"
end

local function test(matcher, item)
  if item.regex then
    return call(matcher .. "Regexp", item.name, "^(?:" .. item.value .. ")$")
  end
  return call(matcher, item.name, item.value)
end

-- PathPrefix of Traefik can end within a name; the prefix of a match ends at a slash.
local function pathRule(path)
  if path.type == "Exact" then
    return call("Path", path.value)
  end
  if path.type == "RegularExpression" then
    return call("PathRegexp", "^(?:" .. path.value .. ")$")
  end
  return "(" .. call("Path", path.value) .. " || " .. call("PathPrefix", path.value .. "/") .. ")"
end

local function ruleOf(match)
  local tests = {}
  if match.path ~= nil then
    tests[1] = pathRule(match.path)
  end
  for _, header in ipairs(match.headers) do
    tests[#tests + 1] = test("Header", header)
  end
  for _, param in ipairs(match.params) do
    tests[#tests + 1] = test("Query", param)
  end
  return table.concat(tests, " && ")
end

local function ruleOfAll(matches)
  local rules = {}
  for index, match in ipairs(matches) do
    rules[index] = #matches == 1 and ruleOf(match) or "(" .. ruleOf(match) .. ")"
  end
  return table.concat(rules, " || ")
end

-- Without a priority, a route has the length of its rule.
local function priorityOf(route)
  if (route.priority or 0) ~= 0 then
    return route.priority
  end
  return #route.match
end

local function canaryRoute(route, matches, routes)
  if route.syntax == "v2" then
    refuse("the rule " .. route.match .. " is in the syntax of Traefik 2: rewrite it for Traefik 3 and remove syntax")
  end
  local canary = copy(route)
  canary.match = "(" .. route.match .. ") && (" .. ruleOfAll(matches) .. ")"
  canary.priority = priorityOf(route) + 1
  for _, other in ipairs(routes) do
    if not routesToStable(other.services) and priorityOf(other) == canary.priority then
      refuse("the rule " .. other.match .. " has the priority " .. canary.priority
        .. " that the canary of the rule " .. route.match
        .. " needs: set priority on the routes, with gaps of at least 2")
    end
  end
  for _, service in ipairs(canary.services) do
    if isStable(service) then
      service.name = obj.canaryService
    end
  end
  return canary
end

checkObject()
local spec = obj.data.spec
local matches = readMatches()
if obj.requestHeaderModifier ~= nil and next(obj.requestHeaderModifier) ~= nil then
  refuse("Traefik modifies headers in a Middleware: remove requestHeaderModifier from the step and use a Middleware")
end

local routes, found = {}, false
for _, route in ipairs(spec.routes or {}) do
  if routesToStable(route.services) then
    found = true
    if #matches > 0 then
      routes[#routes + 1] = canaryRoute(route, matches, spec.routes)
    elseif obj.canaryWeight >= 0 then
      route.services = split(route.services)
    end
  end
  routes[#routes + 1] = route
end
if not found then
  refuse("no route has the service " .. obj.stableService
    .. ": correct service or customNetworkRefs of the Rollout; for a "
    .. "TraefikService, name that one in customNetworkRefs")
end
spec.routes = routes

return { spec = spec, labels = obj.data.labels, annotations = obj.data.annotations }
