-- AWS Load Balancer Controller: a canary Ingress in addition to the stable one.
--
-- ConfigMap key: lua.traffic.routing.ingress.aws-alb
-- Rollout:       trafficRoutings: [{service: web, gracePeriodSeconds: 30, ingress: {name: web, classType: aws-alb}}]
--
-- The stable Ingress needs these annotations (the controller copies all of them to the canary Ingress):
--   alb.ingress.kubernetes.io/group.name: <group>         or the group of its IngressClassParams
--   alb.ingress.kubernetes.io/group.order: "10"
--   rollout-constructs.io/canary-group-order: "9"         below group.order: the lower order is evaluated first
--   alb.ingress.kubernetes.io/actions.<service>:
--     {"type":"forward","forwardConfig":{"targetGroups":[{"serviceName":"<service>","servicePort":80}]}}
-- and to reach the service through the port name use-annotation. Conditions and transforms of the service apply to the
-- canary too.
--
-- Weights: one rule that splits. Matches: a rule with conditions, all of it to the canary; matches win over a weight.
-- Refuses: paths, several matches that differ in more than the value of one header (or in one query parameter each),
-- regular expressions on query parameters, Host, header modifiers, and what AWS limits forbid. For paths and for any
-- other OR, use customNetworkRefs with the Ingress itself: lua.traffic.routing.Ingress.networking.k8s.io.

local PREFIX = "alb.ingress.kubernetes.io/"
local ORDER = "rollout-constructs.io/canary-group-order"
local INSTEAD = "use customNetworkRefs with the Ingress itself (kind Ingress, apiVersion networking.k8s.io/v1)"

-- The path of a rule counts as one of the five values that AWS allows in a rule.
local VALUES_PER_RULE = 4
local VALUES_PER_CONDITION = 3

local function refuse(message)
  error("aws-alb: " .. message, 0)
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
    refuse("annotation " .. PREFIX .. name .. " is not a JSON object or list: correct it on the stable Ingress")
  end
  return value
end

local function stableServiceOf(canaryService)
  local service = string.match(canaryService, "^(.+)%-canary$")
  if service == nil then
    refuse("the canary service " .. canaryService
      .. " is the stable service, so nothing can be split: remove disableGenerateCanaryService, and use a "
      .. "Rollout instead of a TrafficRouting")
  end
  if #canaryService > 52 then
    refuse("service " .. service .. " is too long for the annotation conditions." .. canaryService
      .. " (63 characters): give it a name of at most 45 characters")
  end
  return service
end

-- The only target group of the stable action, and its stickiness.
local function stableTarget(annotations, service)
  local name = "actions." .. service
  local action = decode(annotations, name)
  local example = '{"type":"forward","forwardConfig":{"targetGroups":[{"serviceName":"' .. service
    .. '","servicePort":80}]}}'
  if action == nil then
    refuse("annotation " .. PREFIX .. name .. " is missing on the stable Ingress: set it to " .. example
      .. " and the port name of the backend to use-annotation")
  end
  local config = field(action, "forwardConfig")
  local groups = field(config, "targetGroups") or {}
  local port = field(groups[1], "servicePort")
  local isOurs = field(action, "type") == "forward" and #groups == 1 and field(groups[1], "serviceName") == service
  if not isOurs or port == nil then
    refuse("annotation " .. PREFIX .. name .. " must forward to service " .. service .. " alone: set it to " .. example)
  end
  return port, field(config, "targetGroupStickinessConfig")
end

local function canaryOrder(annotations, firstRun)
  local order = tonumber(string.match(annotations[ORDER] or "", "^%-?%d+$") or "")
  if order == nil or order < -1000 or order > 1000 then
    refuse("annotation " .. ORDER
      .. " of the stable Ingress must be an integer from -1000 to 1000, below alb.ingress.kubernetes.io/group.order")
  end
  -- Later runs see the order of the first run.
  local stableOrder = tonumber(annotations[PREFIX .. "group.order"] or "0") or 0
  if firstRun and stableOrder <= order then
    refuse("annotation " .. ORDER .. " is " .. order
      .. ", but must be below alb.ingress.kubernetes.io/group.order, which is " .. stableOrder .. ": the load balancer would never reach the canary")
  end
  return string.format("%d", order)
end

-- Always writes both target groups with weights: an omitted target group is deleted, and is empty when created again.
local function forward(canary, stable, port, stickiness, weight)
  return encode({
    type = "forward",
    forwardConfig = {
      targetGroups = {
        { serviceName = canary, servicePort = port, weight = weight },
        { serviceName = stable, servicePort = port, weight = 100 - weight },
      },
      targetGroupStickinessConfig = stickiness,
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

local function anchored(pattern)
  return "^(" .. pattern .. ")$"
end

-- Matches one cookie in a Cookie header that may have others.
local function cookieTest(pair)
  return { name = "cookie", value = "^(.*; ?)?" .. escapeRegex(pair) .. "(;.*)?$", regex = true }
end

local function headerTest(header)
  local name, value = header.name, header.value
  local exact = header.type ~= "RegularExpression"
  local lower = string.lower(name)
  if lower == "host" then
    refuse("a load balancer rule cannot match the header Host: give the host a rule of its own in the Ingress")
  end
  if lower == "canary-by-cookie" and exact then
    return cookieTest(value .. "=always")
  end
  if lower == "cookie" and exact then
    if not string.find(value, "=", 1, true) then
      refuse("the cookie match " .. value .. " has no value: write it as name=value")
    end
    return cookieTest(value)
  end
  if lower == "canary-by-cookie" then
    refuse("canary-by-cookie takes the name of a cookie, not a regular expression: match the header cookie instead")
  end
  if not exact then
    return { name = name, value = anchored(value), regex = true }
  end
  return { name = name, value = value, regex = false }
end

local function headerCondition(tests)
  local name = tests[1].name
  if #name > 40 or string.find(name, "[^%w!#$%%&'+.^_`|~-]") then
    refuse("header " .. name .. " cannot be matched: a name has at most 40 letters, digits or -_. and no wildcard")
  end
  local regex = false
  for _, test in ipairs(tests) do
    -- * and ? are wildcards in plain values.
    regex = regex or test.regex or string.find(test.value, "[*?]") ~= nil
  end
  local values = {}
  for _, test in ipairs(tests) do
    local value = test.value
    if regex and not test.regex then
      value = anchored(escapeRegex(value))
    end
    if #value > 128 then
      refuse("the value for header " .. name .. " becomes longer than 128 characters: " .. value)
    end
    values[#values + 1] = value
  end
  local config = { httpHeaderName = name }
  config[regex and "regexValues" or "values"] = values
  return { field = "http-header", httpHeaderConfig = config }
end

local function queryCondition(params)
  local values = {}
  for _, param in ipairs(params) do
    if param.type == "RegularExpression" then
      refuse("a load balancer rule cannot match the query parameter " .. param.name
        .. " with a regular expression: use an exact value, or a header")
    end
    local value = string.gsub(param.value, "[*?]", "\\%0")
    if #value > 128 or #param.name > 128 then
      refuse("query parameter " .. param.name .. " is longer than 128 characters")
    end
    values[#values + 1] = { key = param.name, value = value }
  end
  return { field = "query-string", queryStringConfig = { values = values } }
end

local function checkMatch(match, number)
  local path = match.path
  if path ~= nil and not (path.value == "/" and path.type ~= "Exact" and path.type ~= "RegularExpression") then
    refuse("match " .. number .. " has a path: conditions of the canary Ingress cannot narrow a path, " .. INSTEAD)
  end
  if #(match.headers or {}) + #(match.queryParams or {}) == 0 then
    refuse("match " .. number .. " matches every request: add a header or a query parameter, or use traffic: 100%")
  end
end

-- ANDs all conditions of one match.
local function conditionsOfMatch(match)
  local conditions = {}
  for _, header in ipairs(match.headers or {}) do
    conditions[#conditions + 1] = headerCondition({ headerTest(header) })
  end
  for _, param in ipairs(match.queryParams or {}) do
    conditions[#conditions + 1] = queryCondition({ param })
  end
  return conditions
end

-- Several matches are ORed, and one rule can only OR the values within one condition.
local function conditionOfAlternatives(matches)
  local tests, params = {}, {}
  for _, match in ipairs(matches) do
    local headers, queries = match.headers or {}, match.queryParams or {}
    if #headers + #queries == 1 then
      for _, header in ipairs(headers) do
        tests[#tests + 1] = headerTest(header)
      end
      for _, param in ipairs(queries) do
        params[#params + 1] = param
      end
    end
  end
  local sameHeader = #tests == #matches
  for _, test in ipairs(tests) do
    sameHeader = sameHeader and string.lower(test.name) == string.lower(tests[1].name)
  end
  if not sameHeader and #params ~= #matches then
    refuse("the matches differ in more than the value of one header: one canary Ingress has one list of conditions, " .. INSTEAD)
  end
  if #matches > VALUES_PER_CONDITION then
    refuse(#matches
      .. " matches on one header or on the query: AWS allows 3 values in a condition, use a regular expression, "
      .. "or " .. INSTEAD)
  end
  return sameHeader and headerCondition(tests) or queryCondition(params)
end

local function conditionsOf(matches)
  for number, match in ipairs(matches) do
    checkMatch(match, number)
  end
  if #matches == 1 then
    return conditionsOfMatch(matches[1])
  end
  return { conditionOfAlternatives(matches) }
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

local function bindConditions(annotations, service, extra)
  if #extra == 0 then
    return annotations[PREFIX .. "conditions." .. service]
  end
  local conditions = decode(annotations, "conditions." .. service) or {}
  for _, condition in ipairs(extra) do
    conditions[#conditions + 1] = condition
  end
  local count = countValues(conditions)
  if count > VALUES_PER_RULE then
    refuse(count
      .. " condition values and the path are more than the 5 values that AWS allows in a rule: match on fewer values")
  end
  return encode(conditions)
end

local annotations = obj.annotations
if annotations == nil then
  refuse("the stable Ingress has no annotations: set " .. PREFIX
    .. "group.name, group.order, actions.<service> and " .. ORDER)
end
if obj.requestHeaderModifier ~= nil and next(obj.requestHeaderModifier) ~= nil then
  refuse("a load balancer cannot modify request headers: remove requestHeaderModifier from the step")
end

local canary = obj.canaryService
local stable = stableServiceOf(canary)
local port, stickiness = stableTarget(annotations, stable)
local order = canaryOrder(annotations, annotations[PREFIX .. "actions." .. canary] == nil)
local weight = tonumber(obj.weight) or 0
local extra = {}
if obj.matches ~= nil and #obj.matches > 0 then
  weight = 100
  extra = conditionsOf(obj.matches)
elseif weight <= 0 then
  -- The rule exists so that its target groups get targets, but no request reaches it.
  weight = 0
  extra = { headerCondition({ { name = "x-kruise-canary-idle", value = canary, regex = false } }) }
end

annotations[PREFIX .. "group.order"] = order
annotations[PREFIX .. "actions." .. canary] = forward(canary, stable, port, stickiness, weight)
annotations[PREFIX .. "conditions." .. canary] = bindConditions(annotations, stable, extra)
annotations[PREFIX .. "transforms." .. canary] = annotations[PREFIX .. "transforms." .. stable]
return annotations
