-- Apache APISIX: canary by editing an ApisixRoute (apisix.apache.org/v2).
--
-- ConfigMap key: lua.traffic.routing.ApisixRoute.apisix.apache.org
-- Rollout:       trafficRoutings:
--                - service: web
--                  customNetworkRefs: [{apiVersion: apisix.apache.org/v2, kind: ApisixRoute, name: web}]
--
-- Weights: every rule of spec.http with the service as a backend splits the share of the service. Matches: for
-- each rule of the service and each match N a copy <rule>-match-N, with the expressions of the match and a priority one
-- above the rule; matches win over a weight. Headers, cookies, query parameters and paths, exact or by regular
-- expression (as a whole: they are anchored). requestHeaderModifier on matches becomes the plugin proxy-rewrite.
-- Refuses: Host, an empty match, a rule that already holds the priority a copy needs, a weight on a rule with the plugin
-- traffic-split, a header modifier without matches, stream routes of the service.

local function refuse(message)
  error("ApisixRoute: " .. message, 0)
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
    refuse("a step cannot match the header Host: give the host a rule of its own in spec.http")
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

local function isStable(backend)
  return backend.serviceName == obj.stableService
end

local function routesToStable(backends)
  for _, backend in ipairs(backends or {}) do
    if isStable(backend) then
      return true
    end
  end
  return false
end

local function plugin(rule, name)
  for _, candidate in ipairs(rule.plugins or {}) do
    if candidate.name == name and candidate.enable ~= false then
      return candidate
    end
  end
  return nil
end

-- APISIX uses the weight 100 for a backend without weight.
local function weightOf(reference)
  return reference.weight or 100
end

local function split(rule)
  if plugin(rule, "traffic-split") ~= nil then
    refuse("rule " .. rule.name
      .. " has the plugin traffic-split, which cannot be used with several backends: remove it")
  end
  local alone = #rule.backends + #(rule.upstreams or {}) == 1
  local backends = {}
  for _, backend in ipairs(rule.backends) do
    if isStable(backend) then
      local share = alone and 1 or weightOf(backend)
      local canary = copy(backend)
      canary.serviceName = obj.canaryService
      canary.weight = share * obj.canaryWeight
      backend.weight = share * (100 - obj.canaryWeight)
      backends[#backends + 1] = backend
      backends[#backends + 1] = canary
    else
      backend.weight = weightOf(backend) * 100
      backends[#backends + 1] = backend
    end
  end
  for _, upstream in ipairs(rule.upstreams or {}) do
    upstream.weight = weightOf(upstream) * 100
  end
  rule.backends = backends
end

local function expression(scope, name, test)
  local value = test.regex and "^(?:" .. test.value .. ")$" or test.value
  return { subject = { scope = scope, name = name }, op = test.regex and "RegexMatch" or "Equal", value = value }
end

-- Ingress controllers before 2.1 require a name, which no release reads for a path.
local function pathExpression(path)
  if path.type == "Exact" then
    return expression("Path", "uri", path)
  end
  local pattern = path.value
  if path.type == "PathPrefix" then
    pattern = escapeRegex(path.value) .. "(?:/.*)?"
  end
  return expression("Path", "uri", { regex = true, value = pattern })
end

local function addExpressions(exprs, match)
  if match.path ~= nil then
    exprs[#exprs + 1] = pathExpression(match.path)
  end
  for _, header in ipairs(match.headers) do
    exprs[#exprs + 1] = expression("Header", header.name, header)
  end
  for _, param in ipairs(match.params) do
    exprs[#exprs + 1] = expression("Query", param.name, param)
  end
  return exprs
end

local function rewritePlugin(rule, modifier)
  if plugin(rule, "proxy-rewrite") ~= nil then
    refuse("rule " .. rule.name .. " has the plugin proxy-rewrite, and so cannot take the requestHeaderModifier of the "
      .. "step: modify the headers in that plugin, or in the application")
  end
  local headers = { remove = modifier.remove }
  for _, action in ipairs({ "set", "add" }) do
    for _, header in ipairs(modifier[action] or {}) do
      headers[action] = headers[action] or {}
      headers[action][header.name] = header.value
    end
  end
  return { name = "proxy-rewrite", enable = true, config = { headers = copy(headers) } }
end

local function canaryRule(rule, match, modifier)
  local canary = copy(rule)
  canary.name = rule.name .. "-match-" .. match.number
  canary.priority = (rule.priority or 0) + 1
  canary.match = canary.match or {}
  canary.match.exprs = addExpressions(canary.match.exprs or {}, match)
  for _, backend in ipairs(canary.backends) do
    if isStable(backend) then
      backend.serviceName = obj.canaryService
    end
  end
  if modifier ~= nil then
    canary.plugins = canary.plugins or {}
    canary.plugins[#canary.plugins + 1] = rewritePlugin(rule, modifier)
  end
  return canary
end

-- Of the routes for one path, the highest priority wins; with equal priorities, any of them.
local function checkPriority(rule, rules)
  local paths = {}
  for _, path in ipairs((rule.match or {}).paths or {}) do
    paths[path] = true
  end
  for _, other in ipairs(rules) do
    for _, path in ipairs((other.match or {}).paths or {}) do
      if paths[path] and not routesToStable(other.backends) and (other.priority or 0) == (rule.priority or 0) + 1 then
        refuse("rule " .. other.name .. " has the priority " .. other.priority .. " that the canary of rule "
          .. rule.name
          .. " needs on the path " .. path .. ": leave a gap of at least 2 between their priorities")
      end
    end
  end
end

checkObject()
local spec = obj.data.spec
local matches, modifier = readMatches(), headerModifier()
for _, stream in ipairs(spec.stream or {}) do
  if stream.backend ~= nil and isStable(stream.backend) then
    refuse("stream route " .. stream.name .. " has one backend and cannot be split: give it an ApisixRoute of its own")
  end
end
if modifier ~= nil and #matches == 0 then
  refuse("requestHeaderModifier needs matches: headers of a weighted share cannot be modified alone")
end

local rules, found = {}, false
for _, rule in ipairs(spec.http or {}) do
  if routesToStable(rule.backends) then
    found = true
    for _, match in ipairs(matches) do
      checkPriority(rule, spec.http)
      rules[#rules + 1] = canaryRule(rule, match, modifier)
    end
    if #matches == 0 and obj.canaryWeight >= 0 then
      split(rule)
    end
  end
  rules[#rules + 1] = rule
end
if not found then
  refuse("no rule of spec.http has the backend " .. obj.stableService
    .. ": correct service or customNetworkRefs of the Rollout")
end
spec.http = rules

return { spec = spec, labels = obj.data.labels, annotations = obj.data.annotations }
