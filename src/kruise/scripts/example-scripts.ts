/**
 * Scripts for the examples of rules: shorter than those of the library, and complete for what they accept. They refuse
 * everything else, so that no check finds anything in them.
 */

/** A canary Ingress of an AWS load balancer: a weight, or one exact header. */
export const AWS_SCRIPT = `local prefix, annotations = "alb.ingress.kubernetes.io/", obj.annotations or {}
local canary, stable = obj.canaryService, string.gsub(obj.canaryService, "%-canary$", "")
local matches, weight = obj.matches or {}, tonumber(obj.weight)
if canary == stable or #matches > 1 or obj.requestHeaderModifier then error("one match, or a weight", 0) end
local conditions = json.decode(annotations[prefix .. "conditions." .. stable] or "[]")
if #matches == 1 then
  local match = matches[1]
  local header = (match.headers or {})[1]
  if match.path or match.queryParams or header == nil or #match.headers > 1 then error("one header", 0) end
  if header.type == "RegularExpression" or string.lower(header.name) == "cookie" then error("one exact header", 0) end
  if string.find(header.value, "[*?\\\\]") then error("no wildcards", 0) end
  weight = 100
  table.insert(conditions, {field = "http-header",
    httpHeaderConfig = {httpHeaderName = header.name, values = {header.value}}})
end
local action = json.decode(annotations[prefix .. "actions." .. stable] or error("no action", 0))
local group = action.forwardConfig.targetGroups[1]
action.forwardConfig.targetGroups = {
  {serviceName = canary, servicePort = group.servicePort, weight = weight},
  {serviceName = stable, servicePort = group.servicePort, weight = 100 - weight}}
annotations[prefix .. "group.order"] = annotations["rollout-constructs.io/canary-group-order"]
annotations[prefix .. "conditions." .. canary] = #conditions > 0 and assert(json.encode(conditions)) or nil
annotations[prefix .. "transforms." .. canary] = annotations[prefix .. "transforms." .. stable]
annotations[prefix .. "actions." .. canary] = assert(json.encode(action))
return annotations`;

/** A canary Ingress of an ALB of Alibaba Cloud: a weight, or one exact header. */
export const ALIYUN_SCRIPT = `local prefix, annotations = "alb.ingress.kubernetes.io/", obj.annotations or {}
local matches, headers = obj.matches or {}, {}
for _, match in ipairs(matches) do
  if match.path or match.queryParams then error("only headers", 0) end
  for _, header in ipairs(match.headers or {}) do table.insert(headers, header) end
end
if #headers ~= #matches or #matches > 1 or obj.requestHeaderModifier then error("one header, or a weight", 0) end
if #headers == 1 and (headers[1].type == "RegularExpression" or string.lower(headers[1].name) == "cookie") then
  error("one exact header", 0)
end
annotations[prefix .. "canary"] = "true"
annotations[prefix .. "order"] = annotations["rollout-constructs.io/canary-order"]
annotations[prefix .. "canary-by-header"] = #headers == 1 and headers[1].name or nil
annotations[prefix .. "canary-by-header-value"] = #headers == 1 and headers[1].value or nil
annotations[prefix .. "canary-weight"] = #headers == 0 and obj.weight or nil
return annotations`;

/** An Ingress of an AWS load balancer, edited in place: a weight, or one exact header in each match. */
export const IN_PLACE_SCRIPT = `local prefix, data = "alb.ingress.kubernetes.io/", obj.data
local annotations, matches = data.annotations or {}, obj.matches or {}
local canary, stable = obj.canaryService, obj.stableService
if canary == stable or obj.requestHeaderModifier then error("not without a canary Service", 0) end
if annotations[prefix .. "conditions." .. stable] or annotations[prefix .. "transforms." .. stable] then
  error("no conditions and no transforms", 0)
end
local action = json.decode(annotations[prefix .. "actions." .. stable] or error("no action", 0))
local port = action.forwardConfig.targetGroups[1].servicePort
local function forward(weight)
  action.forwardConfig.targetGroups = {
    {serviceName = canary, servicePort = port, weight = weight},
    {serviceName = stable, servicePort = port, weight = 100 - weight}}
  return assert(json.encode(action))
end
annotations[prefix .. "actions." .. stable] = forward(#matches == 0 and obj.canaryWeight or 0)
local names = {}
for number, match in ipairs(matches) do
  local name, header = stable .. "-match-" .. number, (match.headers or {})[1]
  if match.path or match.queryParams or header == nil or #match.headers > 1 then error("one header", 0) end
  if header.type == "RegularExpression" or string.lower(header.name) == "cookie" then error("one exact header", 0) end
  if string.find(header.value, "[*?\\\\]") then error("no wildcards", 0) end
  table.insert(names, name)
  annotations[prefix .. "actions." .. name] = forward(100)
  annotations[prefix .. "conditions." .. name] = assert(json.encode({{field = "http-header",
    httpHeaderConfig = {httpHeaderName = header.name, values = {header.value}}}}))
end
for _, rule in ipairs(data.spec.rules) do
  local paths = {}
  for _, path in ipairs(rule.http.paths) do
    for _, name in ipairs(path.backend.service.name == stable and names or {}) do
      table.insert(paths, {path = path.path, pathType = path.pathType,
        backend = {service = {name = name, port = {name = "use-annotation"}}}})
    end
    table.insert(paths, path)
  end
  rule.http.paths = paths
end
return data`;

/** An HTTPProxy of Contour: a weight. */
export const PROXY_SCRIPT = `local data = obj.data
if obj.matches or obj.requestHeaderModifier or obj.canaryWeight < 0 then error("weights only", 0) end
for _, route in ipairs(data.spec.routes) do
  local services = {}
  for _, service in ipairs(route.services or {}) do
    if service.name == obj.stableService and obj.canaryService ~= obj.stableService then
      table.insert(services, {name = obj.canaryService, port = service.port, weight = obj.canaryWeight})
      service.weight = obj.stableWeight
    end
    table.insert(services, service)
  end
  route.services = services
end
return data`;

/** A canary Ingress of an nginx: a weight. */
export const NGINX_SCRIPT = `local annotations = obj.annotations or {}
if obj.matches or obj.requestHeaderModifier then error("weights only", 0) end
annotations["nginx.ingress.kubernetes.io/canary"] = "true"
annotations["nginx.ingress.kubernetes.io/canary-weight"] = obj.weight
return annotations`;

/** The ConfigMap of scripts with one entry. */
export const scriptConfigMap = (name: string, script: string): string => `apiVersion: v1
kind: ConfigMap
metadata: { name: kruise-rollout-configuration, namespace: kruise-rollout }
data:
  lua.traffic.routing.${name}: |
${script.replace(/^(?=.)/gm, '    ')}
`;
