-- A model of the built-in script of OpenKruise Rollouts 0.6 for classType `nginx` and for an empty classType.
-- It predicts the annotations of the canary Ingress. Do not use it in a ConfigMap.
--
-- Defects of the built-in, kept on purpose:
--   * only the first header of a match is read: a prediction that ANDs all headers would be wrong
--   * matches are not ORed: each overwrites the previous one, so the last one wins
--   * -value and -pattern are cleared once per run, not once per match: an Exact match followed by a
--     RegularExpression one leaves both keys
--   * a header named `canary-by-cookie` means the cookie whose name is the header's value
--   * path, queryParams and requestHeaderModifier have no effect: a match without headers adds no condition

local PREFIX = "nginx.ingress.kubernetes.io/"
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
for _, key in ipairs(OWNED) do
  set(key, nil)
end
if obj.weight ~= "-1" then
  set("canary-weight", obj.weight)
end
for _, match in ipairs(obj.matches or {}) do
  local header = match.headers and match.headers[1]
  if header then
    route_by_header(header)
  end
end
return annotations
