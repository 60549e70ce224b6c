-- A model of the built-in script of OpenKruise Rollouts 0.6 for classType `mse`, which reads nginx's annotations and
-- a few of its own. It predicts the annotations of the canary Ingress. Do not use it in a ConfigMap.
--
-- Defects of the built-in, kept on purpose:
--   * a stable Ingress without annotations is an error: the table is indexed without a nil check
--   * the conditions on a query parameter are written with the prefix nginx. but cleared with mse., so they stay
--   * a requestHeaderModifier without `set` is an error; `add` and `remove` have no effect
--   * several headers to set are joined without a separator, which makes them one header
--   * request-header-control-update is never cleared: it stays after the step that set it
--   * only the first header and the first query parameter of a match are read
--   * matches are not ORed: each overwrites the previous one, so the last one wins
--   * -value and -pattern are cleared once per run, not once per match: an Exact match followed by a
--     RegularExpression one leaves both keys
--   * a header named `canary-by-cookie` means the cookie whose name is the header's value
--   * path has no effect

local NGINX = "nginx.ingress.kubernetes.io/"
local MSE = "mse.ingress.kubernetes.io/"
local OWNED = {
  NGINX .. "canary-by-cookie",
  NGINX .. "canary-by-header",
  NGINX .. "canary-by-header-pattern",
  NGINX .. "canary-by-header-value",
  NGINX .. "canary-weight",
  MSE .. "canary-by-query",
  MSE .. "canary-by-query-pattern",
  MSE .. "canary-by-query-value",
}

local annotations = obj.annotations

local function set_condition(form, condition)
  annotations[NGINX .. form] = condition.name
  if condition.type == "RegularExpression" then
    annotations[NGINX .. form .. "-pattern"] = condition.value
  else
    annotations[NGINX .. form .. "-value"] = condition.value
  end
end

annotations[NGINX .. "canary"] = "true"
for _, key in ipairs(OWNED) do
  annotations[key] = nil
end
if obj.weight ~= "-1" then
  annotations[NGINX .. "canary-weight"] = obj.weight
end
-- The subset of the canary is always named gray; an Ingress without subset gets none.
if annotations[MSE .. "service-subset"] then
  annotations[MSE .. "service-subset"] = "gray"
end
if obj.requestHeaderModifier then
  local update = ""
  for _, header in ipairs(obj.requestHeaderModifier.set) do
    update = update .. string.format("%s %s", header.name, header.value)
  end
  annotations[MSE .. "request-header-control-update"] = update
end
for _, match in ipairs(obj.matches or {}) do
  local header = match.headers and match.headers[1]
  local query = match.queryParams and match.queryParams[1]
  if header and header.name == "canary-by-cookie" then
    annotations[NGINX .. "canary-by-cookie"] = header.value
  elseif header then
    set_condition("canary-by-header", header)
  end
  if query then
    set_condition("canary-by-query", query)
  end
end
return annotations
