-- A model of the built-in script of OpenKruise Rollouts 0.4 and 0.5 for classType `mse`, which reads nginx's annotations
-- and a few of its own. It predicts the annotations of the canary Ingress. Do not use it in a ConfigMap.
--
-- Defects of the built-in, kept on purpose:
--   * a match without headers is an error, so the step never settles: 0.6 guards against it
--   * a stable Ingress without annotations is an error: the table is indexed without a nil check
--   * a requestHeaderModifier without `set` is an error; `add` and `remove` have no effect
--   * several headers to set are joined without a separator, which makes them one header
--   * request-header-control-update is never cleared: it stays after the step that set it
--   * only the first header of a match is read
--   * matches are not ORed: each overwrites the previous one, so the last one wins
--   * -value and -pattern are cleared once per run, not once per match: an Exact match followed by a
--     RegularExpression one leaves both keys
--   * a header named `canary-by-cookie` means the cookie whose name is the header's value

local NGINX = "nginx.ingress.kubernetes.io/"
local MSE = "mse.ingress.kubernetes.io/"
local OWNED = {
  NGINX .. "canary-by-cookie",
  NGINX .. "canary-by-header",
  NGINX .. "canary-by-header-pattern",
  NGINX .. "canary-by-header-value",
  NGINX .. "canary-weight",
}

local annotations = obj.annotations

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
  -- No guard: an absent or empty list of headers fails here, as in the built-in.
  local header = match.headers[1]
  if header.name == "canary-by-cookie" then
    annotations[NGINX .. "canary-by-cookie"] = header.value
  else
    annotations[NGINX .. "canary-by-header"] = header.name
    if header.type == "RegularExpression" then
      annotations[NGINX .. "canary-by-header-pattern"] = header.value
    else
      annotations[NGINX .. "canary-by-header-value"] = header.value
    end
  end
end
return annotations
