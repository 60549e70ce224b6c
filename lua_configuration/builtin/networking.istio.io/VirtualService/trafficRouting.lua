-- A model of the built-in script of OpenKruise Rollouts 0.6 for VirtualService.networking.istio.io.
-- It predicts the VirtualService during a step. The controller prefers its built-in to a ConfigMap, so a script of
-- your own for this kind would never run.
--
-- Defects of the built-in, kept on purpose:
--   * a weight step skips every rule with a `match`: its traffic stays on the stable version
--   * a weight step fails on a rule without `route` (a redirect, a delegate), so the step never settles
--   * a match step fails if the VirtualService has no `http`
--   * a host is compared up to its first dot: a Service with the same name in another namespace is mistaken for ours
--   * every destination of a rule is scaled, including other hosts
--   * a rule with two destinations to the stable Service is scaled twice and gets two canary destinations
--   * weights are rounded down, so a rule's sum can fall short of 100
--   * without traffic and matches (weight -1) all requests go to the canary; the controller does not run the
--     script then, upstream's tests do
--   * the rules of several matches are in reverse order, because each is inserted before all others
--   * requestHeaderModifier works only with matches; traffic in a step with matches is ignored
--   * a condition without a type gets the type of the previous condition, in the random order of the map, and
--     fails if there is none

-- Every condition of every match uses this one name, so that the type leaks from one to the next.
local match_type

local ISTIO_TYPE = { Exact = "exact", RegularExpression = "regex", PathPrefix = "prefix" }

local spec = obj.data.spec

local function string_match(condition)
  match_type = ISTIO_TYPE[condition.type] or match_type
  local value = {}
  value[match_type] = condition.value
  return value
end

local function istio_match(match)
  local result = {}
  for key, conditions in pairs(match) do
    if key == "path" then
      result.uri = string_match(conditions)
    else
      result[key] = {}
      for _, condition in ipairs(conditions) do
        result[key][condition.name] = string_match(condition)
      end
    end
  end
  return result
end

local function pairs_by_name(headers)
  local result = {}
  for _, header in ipairs(headers) do
    result[header.name] = header.value
  end
  return result
end

local function header_operations(modifier)
  local request = {}
  if modifier.set then
    request.set = pairs_by_name(modifier.set)
  end
  if modifier.add then
    request.add = pairs_by_name(modifier.add)
  end
  if modifier.remove then
    request.remove = {}
    for _, name in ipairs(modifier.remove) do
      table.insert(request.remove, name)
    end
  end
  return { request = request }
end

-- Without a canary Service, the canary is a subset that a DestinationRule defines.
local function canary_destination()
  if obj.canaryService == obj.stableService then
    return { host = obj.stableService, subset = "canary" }
  end
  return { host = obj.canaryService }
end

local function route_matches()
  for _, match in ipairs(obj.matches) do
    local rule = { match = { istio_match(match) }, route = { { destination = canary_destination() } } }
    if obj.requestHeaderModifier then
      rule.headers = header_operations(obj.requestHeaderModifier)
    end
    table.insert(spec.http, 1, rule)
  end
end

local function short_host(route)
  local host = route.destination.host
  local dot = string.find(host, ".", 1, true)
  return dot and string.sub(host, 1, dot - 1) or host
end

-- The rules of one protocol that route to the stable Service, once per such destination.
local function rules_to_scale(rules)
  local result = {}
  for _, rule in ipairs(rules) do
    if rule.match == nil then
      for _, route in ipairs(rule.route) do
        if short_host(route) == obj.stableService then
          table.insert(result, rule)
        end
      end
    end
  end
  return result
end

local function scale(rule, stable_weight, canary_weight)
  local count = #rule.route
  for _, route in ipairs(rule.route) do
    if route.weight then
      route.weight = math.floor(route.weight * stable_weight / 100)
    else
      route.weight = math.floor(stable_weight / count)
    end
  end
  table.insert(rule.route, { destination = canary_destination(), weight = canary_weight })
end

local function split_weights()
  local no_weight = obj.canaryWeight == -1
  local canary_weight = no_weight and 100 or obj.canaryWeight
  local stable_weight = no_weight and 0 or obj.stableWeight
  for _, protocol in ipairs({ "http", "tcp", "tls" }) do
    for _, rule in ipairs(rules_to_scale(spec[protocol] or {})) do
      scale(rule, stable_weight, canary_weight)
    end
  end
end

if obj.matches and #obj.matches > 0 then
  route_matches()
else
  split_weights()
end
return obj.data
