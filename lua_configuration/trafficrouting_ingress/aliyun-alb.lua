-- Alibaba Cloud ALB Ingress Controller: a canary Ingress in addition to the stable one. Replaces the built-in
-- script of this class, which gives every canary Ingress the order 1, so that two concurrent canaries collide.
--
-- ConfigMap key: lua.traffic.routing.ingress.aliyun-alb
-- Rollout:       trafficRoutings: [{service: web, ingress: {name: web, classType: aliyun-alb}}]
--
-- The stable Ingress needs these annotations (the controller copies all of them to the canary Ingress):
--   alb.ingress.kubernetes.io/order: "501"
--   rollout-constructs.io/canary-order: "1"      below order, and used by no other Ingress of this ALB
--
-- Weights: canary-weight. Matches: one header with one value, one cookie, or one match each (the ALB looks at the
-- header first, then at the cookie); matches win over a weight, and the two are never written together.
-- Refuses: regular expressions, several headers, several values, headers ANDed with a cookie, paths, query parameters,
-- Host and header modifiers.

local PREFIX = "alb.ingress.kubernetes.io/"
local ORDER = "rollout-constructs.io/canary-order"
local OWN = { "canary-by-header", "canary-by-header-value", "canary-by-header-pattern", "canary-by-cookie", "canary-weight" }

local function refuse(message)
  error("aliyun-alb: " .. message, 0)
end

local function canaryOrder(annotations, firstRun)
  local order = tonumber(string.match(annotations[ORDER] or "", "^%d+$") or "")
  if order == nil or order < 1 or order > 1000 then
    refuse("annotation " .. ORDER
      .. " of the stable Ingress must be an integer from 1 to 1000 that no other Ingress of this ALB uses, "
      .. "below alb.ingress.kubernetes.io/order")
  end
  -- Later runs see the order of the first run. Without the annotation, the ALB uses 10.
  local stableOrder = tonumber(annotations[PREFIX .. "order"] or "10") or 10
  if firstRun and stableOrder <= order then
    refuse("annotation " .. ORDER .. " is " .. order
      .. ", but must be below alb.ingress.kubernetes.io/order, which is " .. stableOrder .. ": the ALB would never reach the canary")
  end
  return string.format("%d", order)
end

-- The ALB sends a request to the canary if its cookie with this name has the value "always".
local function cookieName(header)
  if string.lower(header.name) == "canary-by-cookie" then
    return header.value
  end
  local name = string.match(header.value, "^([^=;]+)=always$")
  if name == nil then
    refuse("the cookie match " .. header.value
      .. " cannot be expressed: the ALB only knows the value always, write <cookie>=always")
  end
  return name
end

local function onlyHeader(match, number)
  local headers = match.headers or {}
  local path = match.path
  if path ~= nil and not (path.value == "/" and path.type ~= "Exact" and path.type ~= "RegularExpression") then
    refuse("match " .. number .. " has a path: the canary has the paths of the stable Ingress, match a header instead")
  end
  if match.queryParams ~= nil and #match.queryParams > 0 then
    refuse("match " .. number
      .. " has query parameters, which the ALB cannot match for a canary: match a header instead")
  end
  if #headers == 0 then
    refuse("match " .. number .. " matches every request: add a header, or use traffic: 100%")
  end
  if #headers > 1 then
    refuse("match " .. number
      .. " has several headers, and the ALB cannot AND them: match a single header, or a cookie")
  end
  local header = headers[1]
  if header.type == "RegularExpression" then
    refuse("header " .. header.name
      .. " is matched with a regular expression: the ALB compares exact values only, use type Exact")
  end
  if string.lower(header.name) == "host" then
    refuse("a canary cannot match the header Host: give the host an Ingress of its own")
  end
  return header
end

local function isCookie(header)
  local name = string.lower(header.name)
  return name == "cookie" or name == "canary-by-cookie"
end

local annotations = obj.annotations
if annotations == nil then
  refuse("the stable Ingress has no annotations: set alb.ingress.kubernetes.io/order and " .. ORDER)
end
if not string.find(obj.canaryService, "^.+%-canary$") then
  refuse("the canary service " .. obj.canaryService
    .. " is the stable service, so nothing can be split: remove disableGenerateCanaryService, and use a Rollout "
    .. "instead of a TrafficRouting")
end
if obj.requestHeaderModifier ~= nil and next(obj.requestHeaderModifier) ~= nil then
  refuse("the ALB cannot modify the headers of canary requests: remove requestHeaderModifier from the step")
end

local order = canaryOrder(annotations, annotations[PREFIX .. "canary"] == nil)
for _, name in ipairs(OWN) do
  annotations[PREFIX .. name] = nil
end
annotations[PREFIX .. "canary"] = "true"
annotations[PREFIX .. "order"] = order

if obj.matches == nil or #obj.matches == 0 then
  local weight = tonumber(obj.weight) or 0
  annotations[PREFIX .. "canary-weight"] = string.format("%d", math.max(weight, 0))
  return annotations
end

for number, match in ipairs(obj.matches) do
  local header = onlyHeader(match, number)
  local key = PREFIX .. (isCookie(header) and "canary-by-cookie" or "canary-by-header")
  if annotations[key] ~= nil then
    refuse("match " .. number .. " is the second one on a " .. (isCookie(header) and "cookie" or "header")
      .. ": one canary Ingress has one header value and one cookie, put the alternatives into steps of their own")
  end
  if isCookie(header) then
    annotations[key] = cookieName(header)
  else
    annotations[key] = header.name
    annotations[key .. "-value"] = header.value
  end
end
return annotations
