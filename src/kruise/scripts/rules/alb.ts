import { defineRules } from '../../../core/rule';
import { aliyunAlb, awsAlb, change } from './examples';
import { sources } from './sources';

const stableTargetGroup = '      { serviceName = stable, servicePort = port, weight = 100 - weight },\n';
const idle = `if weight == 0 then
  -- The rule exists and matches nobody: with its action gone, the ALB would answer 503.
  require_header("x-canary-idle", "values", canary)
end
`;
const cookie = `    elseif string.lower(header.name) == "cookie" then
      require_header(header.name, "regexValues", "^(.*; ?)?" .. literal(header.value) .. "(;.*)?$")
`;
const wildcards = `    elseif string.find(header.value, "[*?]") then
      error("an ALB takes * and ? for wildcards: use a RegularExpression")
`;

/** What the annotations of an Application Load Balancer make of a step. */
export const albRules = defineRules({
  'lua-alb-regex-as-glob': {
    severity: 'error',
    title: 'a regular expression is written where an ALB expects a plain value',
    because:
      'in `values` of a condition, * and ? are the only special characters: an expression is taken literally, and no request ever matches.',
    fix: 'write expressions to regexValues, which the AWS Load Balancer Controller knows from v2.14.1 on',
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
    title: 'a * or ? of an exact value becomes a wildcard of the ALB',
    because:
      'in `values` of a condition, * stands for any text and ? for any character: more requests than meant reach the canary.',
    fix: 'write such a value to regexValues with its special characters escaped, or call error()',
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
    title: 'a cookie is compared with the whole Cookie header',
    because:
      'a browser sends all its cookies in one header, `theme=dark; grey=always`: a plain value without wildcards matches only where the cookie is the only one.',
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
    title: 'the canary Ingress is evaluated behind the stable one',
    because:
      "the canary Ingress has a copy of the stable Ingress' host, path and group.order, and the AWS Load Balancer Controller orders ties by name: <ingress> comes before <ingress>-canary, takes every request, and neither weights nor headers have any effect.",
    fix: 'set group.order of the canary to less than that of the stable Ingress, from an annotation that holds the canary order; taking one off would count down at every run',
    basis: 'run',
    sources: [sources.lbcGroups, sources.awsRequest],
    failing: change(awsAlb, 'annotations[ALB .. "group.order"] = order\n', ''),
    corrected: awsAlb,
  },
  'lua-alb-idle-action-missing': {
    severity: 'error',
    title: 'the canary Ingress is created without its action',
    because:
      'the canary Ingress is created with weight 0, and its backend names an action (use-annotation) that is not there: the ALB answers 503 "Backend action does not exist" to every request that reaches the rule.',
    fix: 'write the action at weight 0 too, and keep the rule from matching with a condition that no request meets',
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
    title: 'the action of some steps lacks the stable target group',
    because:
      'a target group that no rule refers to is deleted. The next step that needs it creates it anew, empty, and its share of the requests gets 503 until the targets are registered.',
    fix: 'write both target groups at every step, with explicit weights: 100 and 0 are weights too',
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
    title: 'conditions or transforms of the stable rule are lost on the canary',
    because:
      'conditions.<name> and transforms.<name> belong to the backend of that name. The canary Ingress carries copies under the name of the stable Service, which none of its paths uses: a restriction to source addresses no longer holds, a path is no longer rewritten.',
    fix: 'take conditions.<stable> and transforms.<stable> over to conditions.<canary> and transforms.<canary>',
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
    title: 'the stickiness of the stable action is lost on the canary',
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
    title: 'an action splits between a Service and itself',
    because:
      'with disableGenerateCanaryService, and for a TrafficRouting, the canary Service is the stable Service: both target groups are the same, and nothing is split.',
    fix: 'call error() where the canary Service is the stable one',
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
    title: 'the canary Ingress gets an order that cannot work',
    because:
      'Aliyun ALB evaluates the smaller order first, and no two Ingresses of one ALB may have the same: with a fixed order the second application in canary gets no rule, and with the order of the stable Ingress the canary comes behind it.',
    fix: 'take the order of the canary from an annotation of the stable Ingress, one value per application',
    basis: 'documented',
    sources: [sources.aliyunOrder, sources.aliyunScript],
    failing: change(aliyunAlb, '= order\n', '= "1"\n'),
    corrected: aliyunAlb,
  },
});
