-- Canaries on a gateway with a kind of its own, gateway.example.com Route:
--
--   spec:
--     host: shop.example.com
--     rules:                        # the first rule whose headers all match takes the request
--       - headers: [{ name: x-user, value: tester }]
--         backends: [{ service: web, weight: 100 }]
--
-- Replace the kind and the fields with those of your gateway. The controller runs this script at every step; obj.data is
-- the route as it was before the release. What the gateway cannot do is an error: the traffic then stays as it is.

local function refuse(message)
  error("Route: " .. message, 0)
end

-- A table may occur only once in the result.
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

-- The backend of the stable Service in a rule, with its place; nil if the rule leads elsewhere.
local function stableBackend(rule)
  for place, backend in ipairs(rule.backends or {}) do
    if backend.service == obj.stableService then
      return backend, place
    end
  end
  return nil
end

-- Divides the share of the stable Service. Beside other Services all weights grow, so that each stays a whole number.
local function split(rule)
  local stable, place = stableBackend(rule)
  if stable == nil then
    return
  end
  local share = 1
  if #rule.backends > 1 then
    share = stable.weight
    for _, backend in ipairs(rule.backends) do
      backend.weight = backend.weight * 100
    end
  end
  local canary = copy(stable)
  canary.service = obj.canaryService
  canary.weight = share * obj.canaryWeight
  stable.weight = share * obj.stableWeight
  table.insert(rule.backends, place + 1, canary)
end

local function headersOf(match)
  if match.path ~= nil or match.queryParams ~= nil then
    refuse("a route matches headers only: use a step whose matches have no path and no queryParams")
  end
  local headers = {}
  for index, header in ipairs(match.headers or {}) do
    if header.type == "RegularExpression" then
      refuse("a route matches exact values only: replace the regular expression of the header " .. header.name)
    end
    headers[index] = { name = header.name, value = header.value }
  end
  if #headers == 0 then
    refuse("a match without a header would take every request")
  end
  return headers
end

-- A copy of a rule for the requests of a match, which all go to the canary.
local function canaryRule(rule, match)
  local headers = copy(rule.headers or {})
  for _, header in ipairs(headersOf(match)) do
    headers[#headers + 1] = header
  end
  local canary = copy(stableBackend(rule))
  canary.service = obj.canaryService
  canary.weight = 100
  local result = copy(rule)
  result.headers = headers
  result.backends = { canary }
  return result
end

local function routeMatches(spec)
  local rules = {}
  for _, rule in ipairs(spec.rules) do
    if stableBackend(rule) ~= nil then
      for _, match in ipairs(obj.matches) do
        rules[#rules + 1] = canaryRule(rule, match)
      end
    end
    rules[#rules + 1] = rule
  end
  spec.rules = rules
end

local spec = obj.data.spec
if obj.canaryService == obj.stableService then
  refuse("without a canary Service nothing can be divided: remove disableGenerateCanaryService")
end
if obj.requestHeaderModifier ~= nil then
  refuse("a route cannot change headers: remove requestHeaderModifier")
end
if obj.matches ~= nil and #obj.matches > 0 then
  routeMatches(spec)
else
  for _, rule in ipairs(spec.rules) do
    split(rule)
  end
end
return obj.data
