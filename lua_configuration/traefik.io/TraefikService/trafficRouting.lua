-- Traefik: canary by the weights of a TraefikService (traefik.io/v1alpha1), for any routes to it.
--
-- ConfigMap key: lua.traffic.routing.TraefikService.traefik.io
-- Rollout:       trafficRoutings:
--                - service: web
--                  customNetworkRefs: [{apiVersion: traefik.io/v1alpha1, kind: TraefikService, name: web}]
--
-- Weights: the service of spec.weighted.services splits its share. Traefik 2 and 3.
-- Refuses: matches, which belong to routes (use an IngressRoute), mirroring, header modifiers.

local function refuse(message)
  error("TraefikService: " .. message, 0)
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

local function isStable(service)
  return service.name == obj.stableService and (service.kind or "Service") == "Service"
end

checkObject()
local spec = obj.data.spec
if obj.matches ~= nil and #obj.matches > 0 then
  refuse("a TraefikService cannot match requests: name the IngressRoute in customNetworkRefs instead")
end
if obj.requestHeaderModifier ~= nil and next(obj.requestHeaderModifier) ~= nil then
  refuse("Traefik modifies headers in a Middleware: remove requestHeaderModifier from the step and use a Middleware")
end
if spec.weighted == nil then
  refuse("only spec.weighted can be split: give the service a TraefikService with spec.weighted, and mirror that one")
end

local services, found, all = {}, false, spec.weighted.services or {}
for _, service in ipairs(all) do
  -- Traefik gives a service without weight the weight 1.
  local share = #all == 1 and 1 or service.weight or 1
  services[#services + 1] = service
  if not isStable(service) then
    service.weight = share * 100
  else
    found = true
    local canary = copy(service)
    canary.name = obj.canaryService
    canary.weight = share * obj.canaryWeight
    service.weight = share * (100 - obj.canaryWeight)
    services[#services + 1] = canary
  end
end
if not found then
  refuse("spec.weighted.services has no service " .. obj.stableService
    .. ": correct service or customNetworkRefs of the Rollout")
end
if obj.canaryWeight >= 0 then
  spec.weighted.services = services
end

return { spec = spec, labels = obj.data.labels, annotations = obj.data.annotations }
