-- AWS Load Balancer Controller: canary by editing the stable Ingress in place. The controller keeps the original,
-- passes it to every run, and restores it at the end.
--
-- ConfigMap key: lua.traffic.routing.Ingress.networking.k8s.io
-- Rollout:       trafficRoutings:
--                - service: web
--                  gracePeriodSeconds: 30
--                  customNetworkRefs: [{apiVersion: networking.k8s.io/v1, kind: Ingress, name: web}]
--
-- The key is per kind: this script runs for every Ingress that a Rollout names in customNetworkRefs, and refuses those
-- of another class. To accept an IngressClass with another name than alb, the Ingress needs the annotation:
--   rollout-constructs.io/alb-ingress-class: <name of its class>
--
-- The Ingress must route to the service through an action:
--   annotation alb.ingress.kubernetes.io/actions.<service>:
--     {"type":"forward","forwardConfig":{"targetGroups":[{"serviceName":"<service>","servicePort":80}]}}
--   and the port name use-annotation in every backend of the service.
--
-- Weights: the action of the service splits. Matches: for each match N a path <service>-match-N directly before every
-- path of the service, with its own conditions and action, and no other requests to the canary; matches win over
-- a weight. Headers, cookies, query parameters and paths, any number of matches within the limits of AWS.
-- Refuses: regular expressions on paths and query parameters, Host, header modifiers, an empty match, and what AWS
-- limits forbid.

local PREFIX = "alb.ingress.kubernetes.io/"
local CLASS = "rollout-constructs.io/alb-ingress-class"
local VALUES_PER_RULE = 5

local function refuse(message)
  error("Ingress (AWS ALB): " .. message, 0)
end

local function encode(value)
  return (assert(json.encode(value)))
end

-- The load balancer controller ignores the case of JSON keys.
local function field(object, name)
  if type(object) ~= "table" then
    return nil
  end
  for key, value in pairs(object) do
    if string.lower(key) == string.lower(name) then
      return value
    end
  end
  return nil
end

local function decode(annotations, name)
  local text = annotations[PREFIX .. name]
  if text == nil then
    return nil
  end
  local value = json.decode(text)
  if type(value) ~= "table" then
    refuse("annotation " .. PREFIX .. name .. " is not a JSON object or list: correct it on the Ingress")
  end
  return value
end

local function checkClass(spec, annotations)
  local class = spec.ingressClassName or annotations["kubernetes.io/ingress.class"] or "alb"
  if class ~= "alb" and class ~= annotations[CLASS] then
    refuse("the Ingress has the class " .. class
      .. ": this script only serves the AWS Load Balancer Controller; use ingress with a classType for another "
      .. "controller, or set the annotation " .. CLASS .. ": " .. class .. " if that class belongs to it")
  end
end

-- An empty table becomes null, which the API server drops, so the object never reaches the desired state.
local function checkNoEmptyTables(value, place)
  if type(value) ~= "table" then
    return
  end
  if next(value) == nil then
    refuse(place
      .. " is an empty object or list, which Kruise Rollouts writes as null and then waits for ever: remove it, "
      .. "or give it a field")
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

-- The only target group of the stable action, and its stickiness.
local function stableTarget(annotations, service)
  local name = "actions." .. service
  local action = decode(annotations, name)
  local example = '{"type":"forward","forwardConfig":{"targetGroups":[{"serviceName":"' .. service
    .. '","servicePort":80}]}}'
  if action == nil then
    refuse("annotation " .. PREFIX .. name .. " is missing: set it to " .. example
      .. " and the port name of the backend to use-annotation")
  end
  local config = field(action, "forwardConfig")
  local groups = field(config, "targetGroups") or {}
  local port = field(groups[1], "servicePort")
  local isOurs = field(action, "type") == "forward" and #groups == 1 and field(groups[1], "serviceName") == service
  if not isOurs or port == nil then
    refuse("annotation " .. PREFIX .. name .. " must forward to service " .. service .. " alone: set it to " .. example)
  end
  local stickiness = field(config, "targetGroupStickinessConfig")
  return { canary = obj.canaryService, stable = service, port = port, stickiness = stickiness }
end

-- Always writes both target groups with weights: an omitted target group is deleted, and is empty when created again.
local function forward(target, weight)
  return encode({
    type = "forward",
    forwardConfig = {
      targetGroups = {
        { serviceName = target.canary, servicePort = target.port, weight = weight },
        { serviceName = target.stable, servicePort = target.port, weight = 100 - weight },
      },
      targetGroupStickinessConfig = target.stickiness,
    },
  })
end

local function escapeRegex(text)
  return (string.gsub(text, "%p", function(character)
    if string.find("\\.+*?()[]{}^$|", character, 1, true) then
      return "\\" .. character
    end
  end))
end

-- The name of a header match, and its regular expression or plain value.
local function headerTest(header)
  local name, value = header.name, header.value
  local exact = header.type ~= "RegularExpression"
  local lower = string.lower(name)
  if lower == "host" then
    refuse("a load balancer rule cannot match the header Host: give the host a rule of its own in the Ingress")
  end
  if lower == "canary-by-cookie" then
    if not exact then
      refuse("canary-by-cookie takes the name of a cookie, not a regular expression: match the header cookie instead")
    end
    lower, value = "cookie", value .. "=always"
  end
  if lower == "cookie" and exact then
    if not string.find(value, "=", 1, true) then
      refuse("the cookie match " .. value .. " has no value: write it as name=value")
    end
    return "cookie", "^(.*; ?)?" .. escapeRegex(value) .. "(;.*)?$", nil
  end
  if not exact then
    return name, "^(" .. value .. ")$", nil
  end
  if string.find(value, "[*?]") then
    -- * and ? are wildcards in plain values.
    return name, "^(" .. escapeRegex(value) .. ")$", nil
  end
  return name, nil, value
end

local function headerCondition(header)
  local name, regex, plain = headerTest(header)
  if #name > 40 or string.find(name, "[^%w!#$%%&'+.^_`|~-]") then
    refuse("header " .. name .. " cannot be matched: a name has at most 40 letters, digits or -_. and no wildcard")
  end
  if #(regex or plain) > 128 then
    refuse("the value for header " .. name .. " becomes longer than 128 characters: " .. (regex or plain))
  end
  return {
    field = "http-header",
    httpHeaderConfig = { httpHeaderName = name, regexValues = regex and { regex }, values = plain and { plain } },
  }
end

local function queryCondition(param)
  if param.type == "RegularExpression" then
    refuse("a load balancer rule cannot match the query parameter " .. param.name
      .. " with a regular expression: use an exact value, or a header")
  end
  local value = string.gsub(param.value, "[*?]", "\\%0")
  if #value > 128 or #param.name > 128 then
    refuse("query parameter " .. param.name .. " is longer than 128 characters")
  end
  return { field = "query-string", queryStringConfig = { values = { { key = param.name, value = value } } } }
end

-- The path of a match; nil if it matches any path.
local function pathOf(match, number)
  local path = match.path
  if path == nil then
    return nil
  end
  local value = path.value or "/"
  if path.type == "RegularExpression" then
    refuse("match " .. number .. " has a regular expression as path: use PathPrefix or Exact")
  end
  if string.find(value, "[*?]") then
    refuse("match " .. number .. " has the path " .. value
      .. ": * and ? are wildcards for the load balancer, use a path without them")
  end
  if path.type == "Exact" then
    return { exact = true, value = value }
  end
  value = string.gsub(value, "/+$", "")
  if value == "" then
    return nil
  end
  return { exact = false, value = value }
end

local function readMatch(match, number)
  local conditions = {}
  for _, header in ipairs(match.headers or {}) do
    conditions[#conditions + 1] = headerCondition(header)
  end
  for _, param in ipairs(match.queryParams or {}) do
    conditions[#conditions + 1] = queryCondition(param)
  end
  local path = pathOf(match, number)
  if path == nil and #conditions == 0 then
    refuse("match " .. number
      .. " matches every request: add a header, a query parameter or a path, or use traffic: 100%")
  end
  return { name = obj.stableService .. "-match-" .. number, number = number, path = path, conditions = conditions }
end

local function under(path, base)
  return base == "" or path == base or string.sub(path, 1, #base + 1) == base .. "/"
end

-- The requests that a path of the Ingress matches: one path, a prefix with everything below, or only what is below.
local function coverage(path)
  local value = path.path or "/"
  if path.pathType == "Exact" then
    return "exact", value
  end
  if path.pathType == "Prefix" then
    return "prefix", (string.gsub(value, "/+$", ""))
  end
  if value == "/*" then
    return "prefix", ""
  end
  local base = string.match(value, "^([^*?]*)/%*$")
  if base ~= nil then
    return "below", base
  end
  if string.find(value, "[*?]") then
    refuse("the path " .. value
      .. " has wildcards and cannot be combined with the path of a match: use pathType Prefix or Exact in the Ingress")
  end
  return "exact", value
end

-- The requests that match both the path and the match, as paths of the Ingress.
local function narrow(path, wanted)
  local whole = { { path = path.path, pathType = path.pathType } }
  if wanted == nil then
    return whole
  end
  local kind, base = coverage(path)
  if kind == "exact" then
    local hit = wanted.value == base or (not wanted.exact and under(base, wanted.value))
    return hit and whole or {}
  end
  if not wanted.exact and under(base, wanted.value) then
    return whole
  end
  if not under(wanted.value, base) or (kind == "below" and wanted.value == base) then
    return {}
  end
  if path.pathType == "Prefix" then
    return { { path = wanted.value, pathType = wanted.exact and "Exact" or "Prefix" } }
  end
  local narrowed = { { path = wanted.value, pathType = path.pathType } }
  if not wanted.exact then
    narrowed[2] = { path = wanted.value .. "/*", pathType = path.pathType }
  end
  return narrowed
end

local function serviceOf(path)
  local service = path.backend and path.backend.service
  return service and service.name
end

-- Whether a path of another service is evaluated before a prefix of this length.
local function takesFirst(other, path, length)
  if other.pathType == "Exact" then
    return path.pathType == "Exact" and other.path == path.path
  end
  local base = string.gsub(other.path or "/", "/+$", "")
  return other.pathType == "Prefix" and #base > length and under(path.path, base)
end

-- A narrower path is evaluated earlier. It must not take requests of another service.
local function isTaken(path, original, paths)
  local length = #(string.gsub(original.path or "/", "/+$", ""))
  for _, other in ipairs(paths) do
    if original.pathType == "Prefix" and serviceOf(other) ~= obj.stableService and takesFirst(other, path, length) then
      return true
    end
  end
  return false
end

local function countValues(conditions)
  local count = 0
  for _, condition in ipairs(conditions) do
    for _, config in pairs(condition) do
      count = count + #(field(config, "values") or {}) + #(field(config, "regexValues") or {})
    end
  end
  return count
end

local function checkLimit(match, host, path)
  local ofPath = (path.pathType == "Prefix" and path.path ~= "/") and 2 or 1
  local count = match.values + ofPath + (host and 1 or 0)
  if count > VALUES_PER_RULE then
    refuse("match " .. match.number .. " needs " .. count .. " condition values with host and path "
      .. (path.path or "/") .. ", and AWS allows 5 in a rule: match on fewer values")
  end
end

local function usesAnnotation(backend)
  return backend.service.port ~= nil and backend.service.port.name == "use-annotation"
end

-- The paths of the matches before one path of the service.
local function pathsBefore(original, paths, host, matches, seen)
  local inserted = {}
  for _, match in ipairs(matches) do
    for _, path in ipairs(narrow(original, match.path)) do
      local key = match.name .. " " .. (path.pathType or "") .. " " .. (path.path or "")
      if not seen[key] and not isTaken(path, original, paths) then
        seen[key] = true
        match.reached = true
        checkLimit(match, host, path)
        path.backend = { service = { name = match.name, port = { name = "use-annotation" } } }
        inserted[#inserted + 1] = path
      end
    end
  end
  return inserted
end

-- Inserts the paths of the matches before every path of the service, and counts those paths.
local function rewriteRules(rules, matches)
  local found = 0
  for _, rule in ipairs(rules) do
    if rule.http ~= nil then
      local paths, seen, rewritten = rule.http.paths or {}, {}, {}
      for _, path in ipairs(paths) do
        if serviceOf(path) == obj.stableService then
          found = found + 1
          if not usesAnnotation(path.backend) then
            refuse("the path " .. (path.path or "/") .. " reaches service " .. obj.stableService
              .. " by its port: set the port of the backend to {name: use-annotation}")
          end
          for _, before in ipairs(pathsBefore(path, paths, rule.host, matches, seen)) do
            rewritten[#rewritten + 1] = before
          end
        end
        rewritten[#rewritten + 1] = path
      end
      rule.http.paths = rewritten
    end
  end
  return found
end

local function checkDefaultBackend(spec, hasMatches)
  local backend = spec.defaultBackend
  if backend == nil or backend.service == nil or backend.service.name ~= obj.stableService then
    return 0
  end
  if hasMatches then
    refuse("the default backend is service " .. obj.stableService
      .. ", and a default action cannot have conditions: add a rule with the path / instead")
  end
  if not usesAnnotation(backend) then
    refuse("the default backend reaches service " .. obj.stableService
      .. " by its port: set the port of the backend to {name: use-annotation}")
  end
  return 1
end

local function bindMatch(annotations, match, target)
  local action, conditions = "actions." .. match.name, "conditions." .. match.name
  if annotations[PREFIX .. action] ~= nil then
    refuse("annotation " .. PREFIX .. action .. " already exists: the names " .. obj.stableService
      .. "-match-N belong to this script")
  end
  local bound = decode(annotations, "conditions." .. obj.stableService) or {}
  for _, condition in ipairs(bound) do
    if match.path ~= nil and field(condition, "field") == "path-pattern" then
      refuse("annotation " .. PREFIX .. "conditions." .. obj.stableService
        .. " has a path-pattern, which would widen the path of match "
        .. match.number .. ": put its paths into the rules of the Ingress")
    end
  end
  for _, condition in ipairs(match.conditions) do
    bound[#bound + 1] = condition
  end
  match.values = countValues(bound)
  annotations[PREFIX .. action] = forward(target, 100)
  annotations[PREFIX .. conditions] = #bound > 0 and encode(bound) or nil
  annotations[PREFIX .. "transforms." .. match.name] = annotations[PREFIX .. "transforms." .. obj.stableService]
end

local spec = obj.data.spec or {}
local annotations = obj.data.annotations or {}
local steps = obj.matches or {}

checkClass(spec, annotations)
checkNoEmptyTables(spec, "spec")
if obj.canaryService == obj.stableService then
  refuse("the canary service " .. obj.canaryService
    .. " is the stable service, so nothing can be split: remove disableGenerateCanaryService, and use a Rollout "
    .. "instead of a TrafficRouting")
end
if #obj.stableService + #"conditions.-match-16" > 63 then
  refuse("service " .. obj.stableService .. " is too long for the annotation conditions." .. obj.stableService
    .. "-match-16 (63 characters): give it a name of at most 43 characters")
end
if obj.requestHeaderModifier ~= nil and next(obj.requestHeaderModifier) ~= nil then
  refuse("a load balancer cannot modify request headers: remove requestHeaderModifier from the step")
end

local target = stableTarget(annotations, obj.stableService)
local matches = {}
for number, match in ipairs(steps) do
  matches[number] = readMatch(match, number)
  bindMatch(annotations, matches[number], target)
end
local found = checkDefaultBackend(spec, #matches > 0) + rewriteRules(spec.rules or {}, matches)
if found == 0 then
  refuse("no path of the Ingress reaches service " .. obj.stableService
    .. ": correct service or customNetworkRefs of the Rollout")
end
for _, match in ipairs(matches) do
  if not match.reached then
    refuse("match " .. match.number .. " asks for the path " .. match.path.value .. ", which no path of service "
      .. obj.stableService .. " takes: correct the path of the match")
  end
end
if #matches > 0 or obj.canaryWeight >= 0 then
  local weight = #matches > 0 and 0 or obj.canaryWeight
  annotations[PREFIX .. "actions." .. obj.stableService] = forward(target, weight)
end

return { spec = spec, labels = obj.data.labels, annotations = annotations }
