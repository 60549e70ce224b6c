import { defineRules } from '../../../core/rule';
import { aliyunAlb, awsAlb, change } from './examples';
import { sources } from './sources';

const stableTargetGroup = '      { serviceName = stable, servicePort = port, weight = 100 - weight },\n';
const idle = `if weight == 0 then
  -- The rule exists but matches no request: without its action, the ALB would answer 503.
  require_header("x-canary-idle", "values", canary)
end
`;
const cookie = `    elseif string.lower(header.name) == "cookie" then
      require_header(header.name, "regexValues", "^(.*; ?)?" .. literal(header.value) .. "(;.*)?$")
`;
const wildcards = `    elseif string.find(header.value, "[*?]") then
      error("an ALB treats * and ? as wildcards: use a RegularExpression")
`;

/** Rules for the ALB annotations that a script writes. */
export const albRules = defineRules({
  'lua-alb-regex-as-glob': {
    severity: 'error',
    title: 'the script writes a regular expression where an ALB expects a plain value',
    because:
      '`values` of a condition has only the wildcards * and ?: the ALB takes a regular expression literally, and no request ever matches.',
    fix: 'write regular expressions to regexValues, which the AWS Load Balancer Controller supports since v2.14.1',
    basis: 'run',
    sources: [sources.lbcConfig, sources.lbcRules],
    failing: change(
      awsAlb,
      'require_header(header.name, "regexValues", header.value)',
      'require_header(header.name, "values", "*" .. header.value .. "*")',
    ),
    corrected: awsAlb,
  },
  'lua-alb-wildcard-unescaped': {
    severity: 'error',
    title: 'a * or ? in an exact value becomes an ALB wildcard',
    because: 'in `values` of a condition, * matches any text and ? any character: too many requests reach the canary.',
    fix: 'escape the special characters and write the value to regexValues, or call error()',
    basis: 'documented',
    sources: [
      sources.lbcConfig,
      'https://docs.aws.amazon.com/elasticloadbalancing/latest/application/rule-condition-types.html',
    ],
    failing: change(awsAlb, wildcards, ''),
    corrected: awsAlb,
  },
  'lua-alb-cookie-whole-header': {
    severity: 'warning',
    title: 'the script compares a cookie with the whole Cookie header',
    because:
      'a browser sends all its cookies in one header, `theme=dark; grey=always`: a plain value without wildcards matches only if the request has no other cookie.',
    fix: 'write the cookie to regexValues: ^(.*; ?)?grey=always(;.*)?$',
    basis: 'documented',
    sources: [
      sources.lbcConfig,
      'https://docs.aws.amazon.com/elasticloadbalancing/latest/application/rule-condition-types.html',
    ],
    failing: change(awsAlb, cookie, ''),
    corrected: awsAlb,
  },
  'lua-alb-canary-never-wins': {
    severity: 'error',
    title: 'the ALB evaluates the canary Ingress after the stable one',
    because:
      "the canary Ingress copies the stable Ingress' host, path and group.order, and the AWS Load Balancer Controller orders ties by name: <ingress> comes before <ingress>-canary and takes every request, so weights and headers have no effect.",
    fix: 'set group.order of the canary lower than that of the stable Ingress. Read it from an annotation that holds the canary order: subtracting one would count down at every run',
    basis: 'run',
    sources: [sources.lbcGroups, sources.awsRequest],
    failing: change(awsAlb, 'annotations[ALB .. "group.order"] = order\n', ''),
    corrected: awsAlb,
  },
  'lua-alb-idle-action-missing': {
    severity: 'error',
    title: 'the script creates the canary Ingress without its action',
    because:
      'the controller creates the canary Ingress with weight 0, and its backend refers to an action (use-annotation) that does not exist: the ALB answers 503 "Backend action does not exist" to every request that reaches the rule.',
    fix: 'write the action at weight 0 too, and add a condition that no request meets',
    basis: 'run',
    sources: [sources.lbcBackend, sources.ingress],
    failing: change(
      change(awsAlb, idle, ''),
      '.. stable]\nreturn annotations\n',
      `.. stable]
if weight == 0 then
  annotations[ALB .. "actions." .. canary] = nil
  annotations[ALB .. "conditions." .. canary] = nil
end
return annotations
`,
    ),
    corrected: awsAlb,
  },
  'lua-alb-target-group-dropped': {
    severity: 'warning',
    title: 'the action has no stable target group in some steps',
    because:
      'the AWS Load Balancer Controller deletes a target group that no rule refers to. The next step that needs it creates a new, empty one, and its share of the requests gets 503 until the targets are registered.',
    fix: 'write both target groups in every step, with explicit weights, also for 100 and 0',
    basis: 'read',
    sources: [sources.lbcRules, sources.lbcConfig],
    failing: change(
      awsAlb,
      `    targetGroups = {
      { serviceName = canary, servicePort = port, weight = weight },
${stableTargetGroup}    },
`,
      `    targetGroups = weight == 100 and { { serviceName = canary, servicePort = port } } or {
      { serviceName = canary, servicePort = port, weight = weight },
${stableTargetGroup}    },
`,
    ),
    corrected: awsAlb,
  },
  'lua-alb-conditions-lost': {
    severity: 'error',
    title: 'the canary loses conditions or transforms of the stable rule',
    because:
      'conditions.<name> and transforms.<name> apply to the backend with that name. The canary Ingress has copies under the name of the stable Service, which none of its paths uses: for example, source addresses are no longer restricted, and paths no longer rewritten.',
    fix: 'copy conditions.<stable> and transforms.<stable> to conditions.<canary> and transforms.<canary>',
    basis: 'run',
    sources: [sources.lbcBackend],
    failing: change(
      awsAlb,
      'annotations[ALB .. "transforms." .. canary] = annotations[ALB .. "transforms." .. stable]\n',
      '',
    ),
    corrected: awsAlb,
  },
  'lua-alb-stickiness-lost': {
    severity: 'warning',
    title: 'the canary loses the stickiness of the stable action',
    because:
      'targetGroupStickinessConfig is part of an action: without it a session moves between the stable version and the canary with every request.',
    fix: "copy targetGroupStickinessConfig from the stable Service's action",
    basis: 'run',
    sources: [sources.lbcConfig],
    failing: change(awsAlb, '    targetGroupStickinessConfig = config.targetGroupStickinessConfig,\n', ''),
    corrected: awsAlb,
  },
  'lua-alb-same-service': {
    severity: 'warning',
    title: 'an action splits traffic between a Service and itself',
    because:
      'with disableGenerateCanaryService, and for a TrafficRouting, the canary Service is the stable Service: both target groups are the same, and the ALB splits nothing.',
    fix: 'call error() if the canary Service is the stable Service',
    basis: 'run',
    sources: [sources.ingress, sources.lbcConfig],
    failing: change(
      awsAlb,
      'if canary == stable then\n  error("needs a canary Service: remove disableGenerateCanaryService")\nend\n',
      '',
    ),
    corrected: awsAlb,
  },
  'lua-aliyun-order': {
    severity: 'error',
    title: 'the script gives the canary Ingress an order that cannot work',
    because:
      'Aliyun ALB evaluates the smallest order first, and each Ingress of an ALB needs a different order: with a fixed order, the second application with a canary gets no rule; with the order of the stable Ingress, the canary comes after it.',
    fix: 'read the order of the canary from an annotation of the stable Ingress, with one value per application',
    basis: 'documented',
    sources: [sources.aliyunOrder, sources.aliyunScript],
    failing: change(aliyunAlb, '= order\n', '= "1"\n'),
    corrected: aliyunAlb,
  },
});
