/** The rules of rehearsals. */
import { pingPongStack } from '../argo/release';
import { defineRules, type Rule } from '../core';
import { edit } from '../core/example';
import { budgetRules } from './budget-rules';
import { controllers } from './controllers';
import {
  ALB_INGRESS,
  ALIYUN_INGRESS,
  type ExampleParts,
  HEADER_SCRIPT,
  HEADER_STEPS,
  httpRoute,
  stack,
  stickyIngress,
  WEIGHT_SCRIPT,
  withOrder,
} from './examples';
import { implementationRules } from './implementation-rules';

const KRUISE = 'https://github.com/openkruise/rollouts/blob/master';
const LBC = 'https://github.com/kubernetes-sigs/aws-load-balancer-controller/blob/main';

const source = {
  ingress: `${KRUISE}/pkg/trafficrouting/network/ingress/ingress.go`,
  custom: `${KRUISE}/pkg/trafficrouting/network/customNetworkProvider/custom_network_provider.go`,
  manager: `${KRUISE}/pkg/trafficrouting/manager.go`,
  canary: `${KRUISE}/pkg/controller/rollout/rollout_canary.go`,
  types: `${KRUISE}/api/v1beta1/rollout_types.go`,
  rules: `${LBC}/pkg/ingress/model_build_listener_rules.go`,
  groups: `${LBC}/pkg/ingress/group_loader.go`,
  reconcile: `${LBC}/controllers/ingress/group_controller.go`,
  backends: `${LBC}/pkg/ingress/enhanced_backend_builder.go`,
  deploy: `${LBC}/pkg/deploy/stack_deployer.go`,
  albLimits: 'https://docs.aws.amazon.com/elasticloadbalancing/latest/application/listener-rule-condition-types.html',
} as const;

const header = { steps: HEADER_STEPS, script: HEADER_SCRIPT };

/** Writes only the canary's target group if a step has matches. */
const ONE_TARGET_GROUP = `local prefix, annotations, canary = "alb.ingress.kubernetes.io/", obj.annotations, obj.canaryService
local groups, header = {}, obj.matches and obj.matches[1].headers[1]
if header then
  groups[1] = {serviceName = canary, servicePort = 80}
else
  groups[1] = {serviceName = canary, servicePort = 80, weight = tonumber(obj.weight)}
  groups[2] = {serviceName = "web", servicePort = 80, weight = 100 - obj.weight}
end
annotations[prefix .. "group.order"] = "9"
annotations[prefix .. "actions." .. canary] = json.encode({type = "forward", forwardConfig = {targetGroups = groups}})
annotations[prefix .. "conditions." .. canary] = header and json.encode({{field = "http-header",
  httpHeaderConfig = {httpHeaderName = header.name, values = {header.value}}}})
return annotations`;

const REWRITING_SCRIPT = `local action = "alb.ingress.kubernetes.io/actions.web"
obj.data.annotations[action] = json.encode({type = "forward", forwardConfig = {targetGroups = {
  {serviceName = obj.canaryService, servicePort = 80, weight = obj.canaryWeight},
  {serviceName = "web", servicePort = 80, weight = obj.stableWeight}}}})
return obj.data`;

/** An annotation that the controller wrote during an earlier release, when the file was exported. */
const STALE_ORIGINAL = `    rollouts.kruise.io/original-spec-configuration: '${JSON.stringify({
  spec: {
    ingressClassName: 'alb',
    rules: [
      {
        host: 'shop.example.com',
        http: {
          paths: [
            { path: '/', pathType: 'Prefix', backend: { service: { name: 'web', port: { name: 'use-annotation' } } } },
          ],
        },
      },
    ],
  },
  annotations: {
    'alb.ingress.kubernetes.io/group.name': 'shop',
    'alb.ingress.kubernetes.io/target-type': 'ip',
    'alb.ingress.kubernetes.io/actions.web': JSON.stringify({
      type: 'forward',
      forwardConfig: { targetGroups: [{ serviceName: 'web-canary', servicePort: 80 }] },
    }),
  },
})}'\n`;

const ALIYUN_SCRIPT = `local prefix, annotations = "alb.ingress.kubernetes.io/", obj.annotations or {}
local header = obj.matches and obj.matches[1].headers[1]
annotations[prefix .. "canary"] = "true"
annotations[prefix .. "order"] = annotations["rollout-constructs.io/canary-order"] or "1"
annotations[prefix .. "canary-by-header"] = header and header.name
annotations[prefix .. "canary-by-header-value"] = header and header.value
annotations[prefix .. "canary-weight"] = not header and obj.weight or nil
return annotations`;

const commonRules = defineRules({
  'rehearsal-canary-gets-nothing': {
    severity: 'error',
    title: 'the canary gets no requests at a step that declares some for it',
    because:
      'another rule of the load balancer takes the requests first, so the release tests nothing before its last step',
    fix: "put the canary's rule before the rule that takes the requests",
    basis: 'run',
    sources: [source.groups, source.rules],
    failing: stack({ script: edit(WEIGHT_SCRIPT, ['annotations[prefix .. "group.order"] = "9"\n', '']) }),
    corrected: stack(),
  },
  'rehearsal-canary-gets-everything': {
    severity: 'error',
    title: 'the canary gets all requests at a step that declares only some for it',
    because: "the canary's rule takes every request, so all users get the new version at once",
    fix: 'correct the script so that it writes the weight and the matches of the step',
    basis: 'run',
    sources: [source.ingress, source.rules],
    failing: stack({
      script: edit(WEIGHT_SCRIPT, ['weight = 100 - weight', 'weight = 0'], ['weight = weight', 'weight = 1']),
    }),
    corrected: stack(),
  },
  'rehearsal-unmatched-reach-canary': {
    severity: 'error',
    title: 'requests that meet no match reach the canary',
    because: 'if a step has matches, only requests that meet one of them belong to the new version',
    fix: 'correct the script so that all other requests stay with the stable Service',
    basis: 'run',
    sources: [source.types, source.rules],
    failing: stack({
      steps: HEADER_STEPS,
      script: edit(WEIGHT_SCRIPT, ['tonumber(obj.weight)', 'obj.matches and 50 or 0']),
    }),
    corrected: stack(header),
  },
  'rehearsal-match-ignored': {
    severity: 'error',
    title: 'requests that meet a match do not all reach the canary',
    because: 'matches are alternatives: every request that meets one of them belongs to the new version',
    fix: 'correct the script, or remove the match from the step',
    basis: 'run',
    sources: [source.types, source.rules],
    failing: stack({
      ...header,
      steps: edit(HEADER_STEPS, [
        'value: tester }]',
        'value: tester }]\n            - headers: [{ type: Exact, name: x-user, value: admin }]',
      ]),
    }),
    corrected: stack(header),
  },
  'rehearsal-match-unsent': {
    severity: 'warning',
    title: 'no request could be made that meets a match',
    because: 'this library cannot write a value for the expression, so nobody has seen where such requests go',
    fix: 'send a request that meets the match: --probe, or probes in the configuration',
    basis: 'run',
    sources: [source.types],
    failing: stack({
      ...header,
      steps: edit(HEADER_STEPS, [
        'type: Exact, name: x-user, value: tester',
        'type: RegularExpression, name: x-user, value: "([a-z"',
      ]),
    }),
    corrected: stack(header),
  },
  'rehearsal-match-widened': {
    severity: 'error',
    title: 'requests that almost meet a match reach the canary',
    because:
      'the condition on the load balancer is wider than the match of the step, so the wrong users get the new version',
    fix: 'correct the script so that it compares the whole value of every condition',
    basis: 'run',
    sources: [source.types, source.albLimits],
    failing: stack({
      ...header,
      script: edit(HEADER_SCRIPT, ['values = {header.value}', 'values = {header.value .. "*"}']),
    }),
    corrected: stack(header),
  },
  'rehearsal-match-ignores-case': {
    severity: 'note',
    title: 'the load balancer ignores case when it compares a value',
    because: 'AWS load balancers ignore case in header values and query parameters, but a match is exact',
    fix: 'nothing, unless values that differ only in case belong to different users',
    basis: 'documented',
    sources: [source.albLimits],
    failing: stack(header),
    corrected: stack(),
  },
  'rehearsal-cookie-alone': {
    severity: 'warning',
    title: 'a cookie is recognised only when the client sends no other cookie',
    because:
      'browsers send all cookies in one header, and the load balancer compares the whole header with the one cookie',
    fix: 'use a script that finds the cookie among others, or a regular expression on the header cookie',
    basis: 'run',
    sources: [source.albLimits],
    failing: stack({
      ...header,
      steps: edit(HEADER_STEPS, ['name: x-user, value: tester', 'name: cookie, value: grey=always']),
    }),
    corrected: stack({
      steps: edit(HEADER_STEPS, ['name: x-user, value: tester', 'name: cookie, value: grey=always']),
      script: edit(
        HEADER_SCRIPT,
        ['"http-header",\n  ', '"http-header", '],
        ['values = {header.value}', 'regexValues = {"^(.*; ?)?" .. header.value .. "(;.*)?$"}'],
      ),
    }),
  },
  'rehearsal-canary-too-early': {
    severity: 'error',
    title: 'the canary gets requests before its step',
    because:
      'the controller creates the canary with weight 0 and waits before it applies the step; until then no request may reach it',
    fix: 'correct the script for weight "0" without matches, which is its first run: no request may reach the canary then',
    basis: 'run',
    sources: [source.ingress],
    failing: stack({ ingress: edit(ALB_INGRESS, ['name: use-annotation', 'number: 80']) }),
    corrected: stack(),
  },
  'rehearsal-requests-fail': {
    severity: 'error',
    title: 'requests get an error that they did not get before',
    because:
      'users see these errors while the moment lasts, at least until the load balancer has applied the next change',
    fix: 'correct what the script writes for this moment',
    basis: 'run',
    sources: [source.backends, source.ingress],
    failing: stack({
      script: edit(WEIGHT_SCRIPT, [
        'annotations[prefix .. "actions."',
        'if weight == 0 then return annotations end\nannotations[prefix .. "actions."',
      ]),
    }),
    corrected: stack(),
  },
  'rehearsal-port-missing': {
    severity: 'error',
    title: 'a route sends requests to a port that the Service of a release does not have',
    because: 'the load balancer answers with an error, or drops the route: nobody reaches the application',
    fix: 'name a port of the Service in the route, or add the port to the Service',
    basis: 'run',
    sources: ['docs/how-we-know.md'],
    failing: httpRoute(8080),
    corrected: httpRoute(80),
  },
  'rehearsal-path-shadowed': {
    severity: 'error',
    title: 'requests that have nothing to do with the release go elsewhere during it',
    because: 'all rules of the canary Ingress come before the stable ones, so its path takes requests of a longer path',
    fix: 'move the other path to an Ingress of its own with a lower group.order than the canary, or use customNetworkRefs',
    basis: 'run',
    sources: [source.rules, source.groups],
    failing: stack({
      ingress: edit(ALB_INGRESS, [
        '        paths:\n',
        '        paths:\n          - path: /admin\n            pathType: Prefix\n            backend: { service: { name: admin, port: { number: 80 } } }\n',
      ]),
      more: 'apiVersion: v1\nkind: Service\nmetadata: { name: admin, namespace: shop }\nspec: { selector: { app: admin }, ports: [{ port: 80 }] }\n',
    }),
    corrected: stack(),
  },
  'rehearsal-second-load-balancer': {
    severity: 'error',
    title: 'the canary Ingress gets a load balancer of its own',
    because:
      'the DNS name of the application points to the first one, so no user reaches the canary, and the second one costs money',
    fix: 'put the stable Ingress into a group (alb.ingress.kubernetes.io/group.name): the canary Ingress then shares its load balancer',
    basis: 'run',
    sources: [source.groups],
    failing: stack({ ingress: edit(ALB_INGRESS, ['    alb.ingress.kubernetes.io/group.name: shop\n', '']) }),
    corrected: stack(),
  },
  'rehearsal-canaries-collide': {
    severity: 'error',
    title: 'two releases at the same time disturb each other',
    because: 'each release works alone, but together they compete for the same priority on the load balancer',
    fix: 'give each of them its own order',
    basis: 'documented',
    sources: ['https://github.com/openkruise/rollouts/issues/128', source.groups],
    failing: stack(twoApplications()),
    corrected: stack(twoApplications('1', '2')),
  },
  'rehearsal-weight-differs': {
    severity: 'error',
    title: 'the share of the canary differs from the step',
    because: 'more users than intended get the new version, or fewer than the release reports',
    fix: 'correct how the script writes the weight',
    basis: 'run',
    sources: [source.ingress, source.custom],
    failing: stack({ script: edit(WEIGHT_SCRIPT, ['tonumber(obj.weight)', 'tonumber(obj.weight) / 2']) }),
    corrected: stack(),
  },
  'rehearsal-weight-backwards': {
    severity: 'warning',
    title: 'the share of the canary falls from one step to the next',
    because: 'users of the new version get the old one again during the release',
    fix: 'order the steps so that the share only grows; put steps with matches first',
    basis: 'read',
    sources: [source.canary],
    failing: stack({
      steps:
        '        - { traffic: 50%, replicas: 50% }\n        - { traffic: 20%, replicas: 50% }\n        - { traffic: 100%, replicas: 100% }',
    }),
    corrected: stack(),
  },
  'rehearsal-stickiness-lost': {
    severity: 'warning',
    title: 'clients do not stay with their first version',
    because:
      'the load balancer chooses a version for each request, so a page and its scripts may come from different versions',
    fix: 'copy targetGroupStickinessConfig to the action of the canary in the script',
    basis: 'run',
    sources: [source.ingress],
    failing: stack({ ingress: stickyIngress() }),
    corrected: stack({
      ingress: stickyIngress(),
      script: edit(WEIGHT_SCRIPT, [
        'weight = 100 - weight}}}})',
        'weight = 100 - weight}}, targetGroupStickinessConfig = {enabled = true, durationSeconds = 600}}})',
      ]),
    }),
  },
  'rehearsal-group-freezes': {
    severity: 'error',
    title: 'the load balancer ignores changes of its manifests',
    because: 'the controller builds all Ingresses of a group together, so one mistake blocks every change of the group',
    fix: 'correct what the message names',
    basis: 'run',
    sources: [source.reconcile, source.backends],
    failing: stack({ script: WEIGHT_SCRIPT.replaceAll('servicePort = 80', 'servicePort = 8080') }),
    corrected: stack(),
  },
  'rehearsal-controller-panics': {
    severity: 'error',
    title: 'the controller crashes',
    because: 'the process crashes again after each restart, so no rollout in the cluster makes progress',
    fix: 'correct the field that the message names',
    basis: 'read',
    sources: [source.ingress, source.manager],
    failing: stack({ ingress: edit(ALB_INGRESS, ['  rules:\n', '  rules:\n    - host: static.example.com\n']) }),
    corrected: stack(),
  },
  'rehearsal-controller-stuck': {
    severity: 'error',
    title: 'the controller does not get beyond a step',
    because:
      'it retries forever with growing pauses, and reports this only in its log, not in the Rollout or in an event',
    fix: 'fix the problem in the message',
    basis: 'run',
    sources: [source.manager, source.ingress, source.custom],
    failing: stack({ script: 'error("not written yet")' }),
    corrected: stack(),
  },
  'rehearsal-never-settles': {
    severity: 'error',
    title: 'a step never completes because every run of the script changes something',
    because: 'the controller continues only after a run of the script that changes nothing',
    fix: 'make the script return the same result for its own output',
    basis: 'run',
    sources: [source.ingress, source.custom],
    failing: stack({
      script: edit(WEIGHT_SCRIPT, [
        '"group.order"] = "9"',
        '"group.order"] = tostring(annotations[prefix .. "group.order"] - 1)',
      ]),
    }),
    corrected: stack(),
  },
  'rehearsal-rollback-incomplete': {
    severity: 'error',
    title: 'requests still reach the new version after a rollback',
    because: 'the controller only restores objects that it wrote itself',
    fix: 'in scripts, write only to objects that the Rollout names',
    basis: 'read',
    sources: [source.canary],
    failing: stack(rewritten(edit(ALB_INGRESS, ['  annotations:\n', `  annotations:\n${STALE_ORIGINAL}`]))),
    corrected: stack(rewritten(ALB_INGRESS)),
  },
  'rehearsal-target-group-empty': {
    severity: 'note',
    title: 'a new target group has no targets in its first seconds',
    because:
      'the AWS Load Balancer Controller writes rules before it registers targets, so the share of the new target group probably gets 503 until it is registered (inferred from the order in which it deploys)',
    fix: 'start with a header match or with a small weight',
    basis: 'inferred',
    sources: [source.deploy],
    failing: stack(),
    corrected: stack({
      ingress: edit(ALIYUN_INGRESS, ['ingressClassName: alb', 'ingressClassName: nginx']),
      trafficRouting: 'ingress: { name: web, classType: nginx }',
    }),
  },
  'rehearsal-target-group-recreated': {
    severity: 'warning',
    title: 'a target group is deleted and created again during the release',
    because:
      'a target group without a rule is deleted; the one created later has no targets in its first seconds, so its share probably gets 503 (inferred from the order in which the controller deploys)',
    fix: 'name both Services with explicit weights at every step in the script, including weight 0',
    basis: 'inferred',
    sources: [source.deploy],
    failing: stack({
      steps: `        - { traffic: 20%, replicas: 20% }\n${HEADER_STEPS}\n        - { traffic: 50%, replicas: 50% }`,
      script: ONE_TARGET_GROUP,
    }),
    corrected: stack(),
  },
  'rehearsal-refused': {
    severity: 'error',
    title: 'the cluster refuses the release, so it is not rehearsed',
    because: 'an object that the API server or a webhook refuses never reaches the controller',
    fix: 'correct the field that the message names',
    basis: 'run',
    sources: [source.types],
    failing: stack({ steps: '        - { traffic: 0%, replicas: 20% }' }),
    corrected: stack(),
  },
  'rehearsal-story-requests-fail': {
    severity: 'warning',
    title: 'requests fail when a release does not go straight',
    because: 'the straight road works, but what people do in an incident leads requests to pods that are not there',
    fix: 'keep the old pods until the release is over: without dynamicStableScale (Argo), with enableExtraWorkloadForCanary: true (Kruise)',
    basis: 'run',
    sources: ['docs/stories.md'],
    failing: pingPongStack('dynamicStableScale: true'),
    corrected: pingPongStack('dynamicStableScale: false'),
  },
  'rehearsal-pods-overloaded': {
    severity: 'warning',
    title: 'pods get at least twice as many requests as before the release',
    because: 'the share of the traffic is not the share of the pods',
    fix: 'give the step as many replicas as it has traffic',
    basis: 'run',
    sources: ['docs/stories.md'],
    failing: stack({ steps: '        - { traffic: 50%, replicas: 10% }' }),
    corrected: stack({ steps: '        - { traffic: 50%, replicas: 50% }' }),
  },
  'rehearsal-story-stuck': {
    severity: 'warning',
    title: 'the controller cannot go on when a release does not go straight',
    because: 'the straight road works, but in this story the controller gets an error that it repeats for ever',
    fix: 'make the script or the object fit this story too, or do not take this way',
    basis: 'run',
    sources: ['docs/stories.md'],
    failing: stack({
      script: edit(WEIGHT_SCRIPT, ['tonumber(obj.weight)', '({["0"] = 0, ["20"] = 20, ["100"] = 100})[obj.weight]']),
    }),
    corrected: stack(),
  },
  'rehearsal-incomplete': {
    severity: 'note',
    title: 'the manifests do not contain everything that a rehearsal needs',
    because: 'missing objects cannot be rehearsed',
    fix: 'pass the other manifests too',
    basis: 'documented',
    sources: ['docs/findings.md'],
    failing: stack({ ingress: '' }),
    corrected: stack(),
  },
});

/** All rules of rehearsals. The rules of single controllers come last. */
export const rehearsalRules: typeof commonRules & Readonly<Record<string, Rule>> = {
  ...budgetRules,
  ...implementationRules,
  ...commonRules,
  ...Object.assign({}, ...controllers.map(({ rules }) => rules)),
};

/** The id of a rule that every rehearsal has. */
export type RehearsalRuleId = keyof typeof commonRules | keyof typeof implementationRules;

function rewritten(ingress: string): ExampleParts {
  return {
    trafficRouting: 'customNetworkRefs: [{ apiVersion: networking.k8s.io/v1, kind: Ingress, name: web }]',
    scriptKey: 'lua.traffic.routing.Ingress.networking.k8s.io',
    script: REWRITING_SCRIPT,
    ingress,
  };
}

/** Two applications on one load balancer of Alibaba Cloud, with or without an order for each canary. */
function twoApplications(first?: string, second?: string): ExampleParts {
  const parts = (order?: string): ExampleParts => ({
    steps: HEADER_STEPS,
    trafficRouting: 'ingress: { name: web, classType: aliyun-alb }',
    scriptKey: 'lua.traffic.routing.ingress.aliyun-alb',
    script: ALIYUN_SCRIPT,
    ingress: order === undefined ? ALIYUN_INGRESS : withOrder(ALIYUN_INGRESS, order),
  });
  const [rollout, ingress, , service, deployment] = stack(parts(second)).text.split('---\n');
  const more = [rollout, ingress, service, deployment].map((part) =>
    part!.replace(/\bweb\b/g, 'blog').replace('shop.example.com', 'blog.example.com'),
  );
  return { ...parts(first), more: more.join('---\n') };
}
