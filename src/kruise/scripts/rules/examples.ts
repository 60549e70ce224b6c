import type { RuleExample } from '../../../core/rule';

/** A script as an example; its first line gives its path, and so its target. */
function script(path: string, lines: string): RuleExample {
  return { language: 'lua', text: `-- lua_configuration/${path}\n${lines.trim()}\n` };
}

/** Replaces exactly one part of an example, so that the examples differ only in the defect. */
export function change(example: RuleExample, part: string, by: string): RuleExample {
  if (example.text.split(part).length !== 2) throw new Error(`the example must contain this exactly once: ${part}`);
  return { ...example, text: example.text.replace(part, () => by).replace(/\n\n\n+/g, '\n\n') };
}

/** An ingress script that routes by weight and refuses everything else. */
export const byWeight = script(
  'trafficrouting_ingress/demo.lua',
  `
if (obj.matches and #obj.matches > 0) or obj.requestHeaderModifier then
  error("demo routes by weight only: give the step traffic and nothing else")
end

local annotations = obj.annotations or {}
annotations["demo.example.com/canary-weight"] = obj.weight
return annotations
`,
);

/** An ingress script that routes by weight or by one header. */
export const byOneHeader = script(
  'trafficrouting_ingress/demo.lua',
  `
local annotations = obj.annotations or {}
local matches = obj.matches or {}
if obj.requestHeaderModifier then
  error("demo cannot change request headers")
end

annotations["demo.example.com/canary-weight"] = nil
annotations["demo.example.com/canary-header"] = nil
if #matches == 0 then
  annotations["demo.example.com/canary-weight"] = obj.weight
  return annotations
end

if #matches > 1 then
  error("demo supports one match only: write one match")
end
local match = matches[1]
if match.path then
  error("demo cannot match a path")
end
if match.queryParams then
  error("demo cannot match a query parameter")
end
if not match.headers or #match.headers ~= 1 then
  error("demo matches exactly one header")
end
local header = match.headers[1]
if header.type ~= "Exact" then
  error("demo matches exact values only")
end
annotations["demo.example.com/canary-header"] = header.name .. "=" .. header.value
return annotations
`,
);

/** A custom script that routes by weight and refuses everything else. */
export const customByWeight = script(
  'traefik.io/TraefikService/trafficRouting.lua',
  `
if (obj.matches and #obj.matches > 0) or obj.requestHeaderModifier then
  error("a TraefikService routes by weight only: give the step traffic and nothing else")
end

local services = obj.data.spec.weighted.services
services[1].weight = obj.stableWeight
table.insert(services, { name = obj.canaryService, port = services[1].port, weight = obj.canaryWeight })
return obj.data
`,
);

/** A custom script for an object with two possible forms. */
export const customSplit = script(
  'kuma.io/TrafficRoute/trafficRouting.lua',
  `
if (obj.matches and #obj.matches > 0) or obj.requestHeaderModifier then
  error("this script routes by weight only: give the step traffic and nothing else")
end

local conf = obj.data.spec.conf
local split = conf.split or { { destination = conf.destination } }
split[1].weight = obj.stableWeight
table.insert(split, { weight = obj.canaryWeight, destination = { ["kuma.io/service"] = obj.canaryService } })
obj.data.spec.conf = { split = split }
return obj.data
`,
);

/** A script for the AWS Load Balancer Controller that supports everything a separate canary Ingress can do. */
export const awsAlb = script(
  'trafficrouting_ingress/aws-alb.lua',
  `
local ALB = "alb.ingress.kubernetes.io/"
local annotations = obj.annotations or {}
local matches = obj.matches or {}
local canary = obj.canaryService
local stable = string.gsub(canary, "-canary$", "")

local order = annotations["rollout-constructs.io/canary-group-order"]
local action = annotations[ALB .. "actions." .. stable]
if canary == stable then
  error("needs a canary Service: remove disableGenerateCanaryService")
end
if not order or not action or obj.requestHeaderModifier or #matches > 1 then
  error("needs the canary order and a stable action; supports one match and no requestHeaderModifier")
end

-- Escapes every character with a special meaning in a regular expression.
local function literal(value)
  return (string.gsub(value, "[^%w=_ -]", "\\\\%0"))
end

local weight = tonumber(obj.weight)
local conditions = json.decode(annotations[ALB .. "conditions." .. stable] or "[]")
local function require_header(name, form, value)
  table.insert(conditions, {
    field = "http-header",
    httpHeaderConfig = { httpHeaderName = name, [form] = { value } },
  })
end

for _, match in ipairs(matches) do
  if match.path or match.queryParams or not match.headers then
    error("matches headers only: use customNetworkRefs for paths and query parameters")
  end
  weight = 100
  for _, header in ipairs(match.headers) do
    if header.type == "RegularExpression" then
      require_header(header.name, "regexValues", header.value)
    elseif string.lower(header.name) == "cookie" then
      require_header(header.name, "regexValues", "^(.*; ?)?" .. literal(header.value) .. "(;.*)?$")
    elseif string.find(header.value, "[*?]") then
      error("an ALB treats * and ? as wildcards: use a RegularExpression")
    else
      require_header(header.name, "values", header.value)
    end
  end
end
if weight == 0 then
  -- The rule exists but matches no request: without its action, the ALB would answer 503.
  require_header("x-canary-idle", "values", canary)
end

local config = json.decode(action).forwardConfig
local port = config.targetGroups[1].servicePort
annotations[ALB .. "group.order"] = order
annotations[ALB .. "actions." .. canary] = assert(json.encode({
  type = "forward",
  forwardConfig = {
    targetGroups = {
      { serviceName = canary, servicePort = port, weight = weight },
      { serviceName = stable, servicePort = port, weight = 100 - weight },
    },
    targetGroupStickinessConfig = config.targetGroupStickinessConfig,
  },
}))
annotations[ALB .. "conditions." .. canary] = nil
if #conditions > 0 then
  annotations[ALB .. "conditions." .. canary] = assert(json.encode(conditions))
end
annotations[ALB .. "transforms." .. canary] = annotations[ALB .. "transforms." .. stable]
return annotations
`,
);

/** A script for Aliyun's ALB with a separate order for each application. */
export const aliyunAlb = script(
  'trafficrouting_ingress/aliyun-alb.lua',
  `
local ALB = "alb.ingress.kubernetes.io/"
if (obj.matches and #obj.matches > 0) or obj.requestHeaderModifier then
  error("this script routes by weight only: give the step traffic and nothing else")
end

local annotations = obj.annotations or {}
local order = annotations["rollout-constructs.io/canary-order"]
if not order then
  error("the stable Ingress needs the annotation rollout-constructs.io/canary-order")
end
annotations[ALB .. "canary"] = "true"
annotations[ALB .. "canary-weight"] = obj.weight
annotations[ALB .. "order"] = order
return annotations
`,
);

const caseHead = `# lua_configuration/projectcontour.io/HTTPProxy/testdata/steps.yaml
rollout:
  apiVersion: rollouts.kruise.io/v1beta1
  kind: Rollout
  metadata:
    name: shop
  spec:
    workloadRef:
      apiVersion: apps/v1
      kind: Deployment
      name: web
    strategy:
      canary:
        enableExtraWorkloadForCanary: true
        trafficRoutings:
        - service: web
          customNetworkRefs:
          - apiVersion: projectcontour.io/v1
            kind: HTTPProxy
            name: shop
        steps:
        - replicas: 20%
          traffic: 20%
`;
const matchSteps = `        - replicas: 20%
          matches:
          - headers:
            - type: Exact
              name: user-agent
              value: pc
            - type: RegularExpression
              name: name
              value: .*demo
        - replicas: 20%
          matches:
          - headers:
            - type: Exact
              name: user-agent
              value: pc
          - headers:
            - type: RegularExpression
              name: name
              value: .*demo
`;
const caseTail = `original:
  apiVersion: projectcontour.io/v1
  kind: HTTPProxy
  metadata:
    name: shop
  spec:
    virtualhost:
      fqdn: shop.example.com
    routes:
    - conditions:
      - prefix: /
      services:
      - name: web
        port: 8080
`;

/** Testdata with one of the three scenarios that upstream requires. */
export const testdataByWeight: RuleExample = { language: 'yaml', text: caseHead + caseTail };

/** Testdata with the three scenarios that upstream requires. */
export const testdata: RuleExample = { language: 'yaml', text: caseHead + matchSteps + caseTail };
