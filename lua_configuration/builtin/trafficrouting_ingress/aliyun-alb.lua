-- A model of the built-in script of OpenKruise Rollouts for classType `aliyun-alb` since 0.4.
-- It predicts the annotations of the canary Ingress. Do not use it in a ConfigMap.
--
-- Defects of the built-in, kept on purpose:
--   * `order` is "1" on every canary Ingress, regardless of the stable one: two canaries on one ALB
--     collide (openkruise/rollouts#128)
--   * a match without headers (path or queryParams alone) is an error, so the step never settles
--   * only the first header of a match is read: a prediction that ANDs all headers would be wrong
--   * matches are not ORed: each overwrites the previous one, so the last one wins
--   * -value and -pattern are cleared once per run, not once per match: an Exact match followed by a
--     RegularExpression one leaves both keys
--   * canary-by-header-pattern is written although the ALB's documentation does not list it
--   * a weight is written together with matches, although the ALB refuses the combination
--   * a header named `canary-by-cookie` means the cookie whose name is the header's value
--   * path, queryParams and requestHeaderModifier have no effect

local PREFIX = "alb.ingress.kubernetes.io/"
local OWNED = {
  "canary-by-cookie", "canary-by-header", "canary-by-header-pattern", "canary-by-header-value", "canary-weight",
}

local annotations = obj.annotations or {}

local function set(key, value)
  annotations[PREFIX .. key] = value
end

local function route_by_header(header)
  if header.name == "canary-by-cookie" then
    set("canary-by-cookie", header.value)
    return
  end
  set("canary-by-header", header.name)
  if header.type == "RegularExpression" then
    set("canary-by-header-pattern", header.value)
  else
    set("canary-by-header-value", header.value)
  end
end

set("canary", "true")
set("order", "1")
for _, key in ipairs(OWNED) do
  set(key, nil)
end
if obj.weight ~= "-1" then
  set("canary-weight", obj.weight)
end
for _, match in ipairs(obj.matches or {}) do
  -- No guard: an absent or empty list of headers fails here, as in the built-in.
  route_by_header(match.headers[1])
end
return annotations
