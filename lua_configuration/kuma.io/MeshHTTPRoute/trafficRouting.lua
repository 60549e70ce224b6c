-- Kuma, MeshHTTPRoute (kuma.io/v1alpha1).
--
-- ConfigMap key: lua.traffic.routing.MeshHTTPRoute.kuma.io
-- Rollout:       trafficRoutings:
--                - service: web
--                  customNetworkRefs: [{apiVersion: kuma.io/v1alpha1, kind: MeshHTTPRoute, name: web}]
-- (the MeshHTTPRoute must be in the namespace of the Rollout)
--
-- The service is every backendRef named <service> or <service>_<namespace>_svc_<port>; a rule without backendRefs goes to
-- the targetRef of its spec.to. Weights: every rule of the service splits its share. Matches: before each rule of the
-- service one rule with the matches of both; Kuma uses the more specific match in any order. Matches
-- win over a weight. Headers, cookies, query parameters and paths, exact or by regular expression (matched as a
-- whole). requestHeaderModifier on matches becomes a filter.
-- Refuses: Host, an empty match, one query parameter with two values, a regular expression as path beside a rule with a
-- path (Kuma would evaluate it last), a rule of another service whose headers or query parameters compete for the same
-- requests, a path with the filter ReplacePrefixMatch, a header modifier without matches.

local function refuse(message)
  error("MeshHTTPRoute: " .. message, 0)
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
    refuse("a step cannot match the header Host: use spec.to[].hostnames of a route for a MeshGateway")
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

-- The name of the canary for a name of the stable service; nil for another service.
local function canaryName(name)
  if name == obj.stableService then
    return obj.canaryService
  end
  local rest = string.sub(name or "", #obj.stableService + 1)
  if string.sub(name or "", 1, #obj.stableService) == obj.stableService and string.find(rest, "^_.+_svc_%d+$") then
    return obj.canaryService .. rest
  end
  return nil
end

local function routesToStable(refs)
  for _, ref in ipairs(refs) do
    if canaryName(ref.name) ~= nil then
      return true
    end
  end
  return false
end

-- The target of a rule without backendRefs.
local function backendRefsOf(rule, targetRef)
  local refs = (rule.default or {}).backendRefs
  if refs ~= nil then
    return refs
  end
  if canaryName(targetRef.name) == obj.canaryService then
    refuse("a rule for " .. targetRef.name .. " has no backendRefs, and the canary needs the port of the service: "
      .. "add default.backendRefs with kind, name and port")
  end
  return { { kind = targetRef.kind, name = targetRef.name, tags = copy(targetRef.tags) } }
end

local function split(refs)
  local result = {}
  for _, ref in ipairs(refs) do
    local share = #refs == 1 and 1 or ref.weight or 1
    if canaryName(ref.name) ~= nil then
      local canary = copy(ref)
      canary.name = canaryName(ref.name)
      canary.weight = share * obj.canaryWeight
      ref.weight = share * (100 - obj.canaryWeight)
      result[#result + 1] = ref
      result[#result + 1] = canary
    else
      ref.weight = share * 100
      result[#result + 1] = ref
    end
  end
  return result
end

local function under(path, prefix)
  return prefix == "/" or path == prefix or string.sub(path, 1, #prefix + 1) == prefix .. "/"
end

-- The requests that match both a rule and a match; nil if there are none.
local function narrow(existing, path)
  if path == nil then
    return existing
  end
  if existing == nil or (existing.type == "PathPrefix" and existing.value == "/" and path.type ~= "RegularExpression") then
    return path
  end
  if existing.type == "RegularExpression" or path.type == "RegularExpression" then
    refuse("the path " .. path.value .. " of a match cannot be combined with the path " .. existing.value
      .. " of a rule, "
      .. "since one of them is a regular expression, which Kuma evaluates last: use a prefix or an exact path")
  end
  local hit = existing.value == path.value
  if path.type == "PathPrefix" and (hit or under(existing.value, path.value)) then
    return existing
  end
  if existing.type == "PathPrefix" and under(path.value, existing.value) then
    return path
  end
  return hit and existing or nil
end

local function addParams(params, match)
  for _, param in ipairs(match.params) do
    for _, other in ipairs(params) do
      if other.name == param.name then
        refuse("match " .. match.number .. " matches the query parameter " .. param.name
          .. ", which is matched twice then: "
          .. "MeshHTTPRoute takes one test for a query parameter, use a regular expression")
      end
    end
    params[#params + 1] = { type = param.regex and "RegularExpression" or "Exact", name = param.name, value = param.value }
  end
  return next(params) and params
end

-- Combines one match of a rule with one of the step: both must hold.
local function combine(existing, path, match)
  local combined = copy(existing)
  combined.path = copy(path)
  combined.headers = combined.headers or {}
  for _, header in ipairs(match.headers) do
    local kind = header.regex and "RegularExpression" or "Exact"
    combined.headers[#combined.headers + 1] = { type = kind, name = header.name, value = header.value }
  end
  combined.headers = next(combined.headers) and combined.headers
  combined.queryParams = addParams(combined.queryParams or {}, match)
  return combined
end

local EVERYTHING = { type = "PathPrefix", value = "/" }

-- Another service's rule by header, query parameter or method takes its requests before the rule of this service. So
-- does the rule of the canary, and the number of conditions would decide which one wins.
local function checkCompeting(existing, match, rules, targetRef)
  local path = existing.path or EVERYTHING
  for _, rule in ipairs(rules) do
    local foreign = not routesToStable((rule.default or {}).backendRefs or { targetRef })
    for _, other in ipairs(rule.matches or {}) do
      local otherPath = other.path or EVERYTHING
      local regex = otherPath.type == "RegularExpression"
      local competes = other.headers or other.queryParams
      if match.path ~= nil then
        competes = competes or other.method or (existing.path == nil and regex)
      end
      if foreign and competes and (regex or under(path.value, otherPath.value) or under(otherPath.value, path.value)) then
        refuse("a rule for the path " .. otherPath.value
          .. " sends requests by header, query parameter, method or regular "
          .. "expression to another service, and could lose them to the canary: give it a MeshHTTPRoute and a path of its own")
      end
    end
  end
end

-- A more specific path wins. It must not take requests of a more specific rule.
local function isTaken(path, existing, rules)
  local length = existing.path and #existing.path.value or 0
  for _, rule in ipairs(rules) do
    for _, match in ipairs(rule.matches or {}) do
      local other = match.path or {}
      if match ~= existing and not (match.headers or match.queryParams or match.method) then
        if other.type == "PathPrefix" and #other.value > length and under(path.value, other.value) then
          return true
        end
        if other.type == "Exact" and path.type == "Exact" and path.value == other.value then
          return true
        end
      end
    end
  end
  return false
end

-- A longer prefix would change the rest of the path.
local function checkRewrite(rule, match)
  for _, filter in ipairs((rule.default or {}).filters or {}) do
    if filter.urlRewrite ~= nil and (filter.urlRewrite.path or {}).type == "ReplacePrefixMatch" then
      refuse("match " .. match.number .. " has a path, and a rule rewrites the prefix that it matches: match a header instead")
    end
  end
end

-- The matches of the canary for one match of a rule, and whether they cover all of its requests.
local function canaryMatches(rule, existing, matches, rules, targetRef)
  local result, replaced = {}, false
  for _, match in ipairs(matches) do
    checkCompeting(existing, match, rules, targetRef)
    local path = narrow(existing.path, match.path)
    local never = match.path ~= nil and (path == nil or (path ~= existing.path and isTaken(path, existing, rules)))
    if not never then
      if path ~= existing.path then
        checkRewrite(rule, match)
      end
      match.reached = true
      replaced = replaced or (path == existing.path and #match.headers + #match.params == 0)
      result[#result + 1] = combine(existing, path, match)
    end
  end
  return result, replaced
end

-- The rule of the canary before a rule, and the remaining rule; nil for one without matches.
local function splitRule(rule, refs, matches, modifier, rules, targetRef)
  local canary, rest = copy(rule), {}
  canary.matches = {}
  for _, existing in ipairs(rule.matches or { { path = EVERYTHING } }) do
    local added, replaced = canaryMatches(rule, existing, matches, rules, targetRef)
    for _, match in ipairs(added) do
      canary.matches[#canary.matches + 1] = match
    end
    rest[#rest + 1] = not replaced and existing or nil
  end
  canary.default = canary.default or {}
  canary.default.backendRefs = copy(refs)
  for _, ref in ipairs(canary.default.backendRefs) do
    ref.name = canaryName(ref.name) or ref.name
  end
  if modifier ~= nil then
    canary.default.filters = canary.default.filters or {}
    table.insert(canary.default.filters, { type = "RequestHeaderModifier", requestHeaderModifier = copy(modifier) })
  end
  -- Kuma keeps only one of two rules with the same matches.
  local remaining = nil
  if next(rest) then
    remaining = copy(rule)
    remaining.matches = rule.matches and copy(rest)
  end
  return next(canary.matches) and canary, remaining
end

checkObject()
local spec = obj.data.spec
local matches, modifier = readMatches(), headerModifier()
if modifier ~= nil and #matches == 0 then
  refuse("requestHeaderModifier needs matches: headers of a weighted share cannot be modified alone")
end

local found = false
for _, to in ipairs(spec.to or {}) do
  local rules, targetRef = {}, to.targetRef or {}
  for _, rule in ipairs(to.rules or {}) do
    local refs = backendRefsOf(rule, targetRef)
    if routesToStable(refs) then
      found = true
      if #matches > 0 then
        local canary, rest = splitRule(rule, refs, matches, modifier, to.rules, targetRef)
        rules[#rules + 1] = canary
        rule = rest
      elseif obj.canaryWeight >= 0 then
        rule.default = rule.default or {}
        rule.default.backendRefs = split(refs)
      end
    end
    rules[#rules + 1] = rule
  end
  to.rules = to.rules and rules
end
if not found then
  refuse("no rule of spec.to sends requests to service " .. obj.stableService
    .. ": correct service or customNetworkRefs of "
    .. "the Rollout, and add a rule with backendRefs")
end
for _, match in ipairs(matches) do
  if not match.reached then
    refuse("match " .. match.number .. " asks for the path " .. match.path.value .. ", which never reaches service "
      .. obj.stableService .. ": correct the path of the match")
  end
end

return { spec = spec, labels = obj.data.labels, annotations = obj.data.annotations }
