/** Paths, annotation keys, and the quotas of a load balancer. */
import type { Finding } from '../../../core/finding';
import { defineRules } from '../../../core/rule';
import { ALB_PREFIX } from '../../ingress/alb-annotations';
import type { Member } from '../class';
import { BuildFailure } from '../failure';
import type { AlbGroup } from '../model';
import { buildModel } from '../model-builder';
import { pathPatterns } from '../paths';
import { AWS_LOAD_BALANCER_CONTROLLER_HISTORY, type AwsLoadBalancerControllerFacts } from '../version';
import { type AwsAlbCheck, type AwsAlbChecker, backendsOf } from './context';
import { annotated, edit, INGRESS, SERVICE, yaml } from './examples';
import { sources } from './sources';
import { unreachedFindings } from './unreached';

const ROOT = 'path: /, pathType: Prefix';
const LONG = 'web-of-the-shop-that-sells-everything-to-everybody-anytime';
const CONDITION = [{ field: 'source-ip', sourceIPConfig: { values: ['10.0.0.0/8'] } }];
const long = (name: string) =>
  edit(
    annotated({ [`conditions.${name}`]: CONDITION }),
    ['service: { name: web', `service: { name: ${name}`],
    ['actions.web:', `actions.${name}:`],
  );
const FURTHER =
  '          - { path: /api, pathType: Prefix, backend: { service: { name: api, port: { number: 80 } } } }\n';
const MORE = '          # ... and so on, 101 in all\n';
const STACK = [SERVICE, edit(SERVICE, ['name: web,', 'name: api,'])] as const;

/** Rules on paths, on names, and on quotas. */
export const pathRules = defineRules({
  'alb-path-wildcard': {
    severity: 'error',
    title: 'a path of type Exact or Prefix holds a wildcard',
    because: 'the controller rejects * and ? in such a path, and applies nothing of the whole group',
    fix: 'use pathType ImplementationSpecific for patterns, and list it after the paths with higher priority',
    basis: 'run',
    sources: [sources.rules],
    failing: yaml(edit(INGRESS, [ROOT, 'path: /*, pathType: Prefix'])),
    corrected: yaml(edit(INGRESS, [ROOT, 'path: /*, pathType: ImplementationSpecific'])),
  },

  'alb-literal-root-path': {
    severity: 'warning',
    title: 'the path / of type ImplementationSpecific matches the start page only',
    because: 'the load balancer uses such a path as written: every request for a path below / gets 404',
    fix: 'use pathType Prefix, or the path /*',
    basis: 'run',
    sources: [sources.rules],
    failing: yaml(edit(INGRESS, [ROOT, 'path: /, pathType: ImplementationSpecific'])),
    corrected: yaml(INGRESS),
  },

  'alb-annotation-key-too-long': {
    severity: 'error',
    title: 'the name of an annotation is too long',
    because: 'the part after the slash of an annotation key may have 63 characters; the API server rejects the Ingress',
    fix: 'shorten the name of the backend: 55 characters for an action, 52 for conditions or transforms',
    basis: 'documented',
    sources: [sources.annotationKeys],
    failing: yaml(long(LONG)),
    corrected: yaml(long('web-of-the-shop')),
  },

  'alb-annotation-version': {
    severity: 'error',
    title: 'an annotation needs a newer load balancer controller',
    because:
      'an older controller does not read it and reports nothing: requests are not rewritten, an expression is compared as ' +
      'a path with wildcards, and requests without a token get through',
    fix: 'update the AWS Load Balancer Controller, or remove the annotation',
    basis: 'documented',
    sources: [sources.annotations],
    failing: yaml(annotated({ 'use-regex-path-match': 'true' })),
    corrected: yaml(INGRESS),
  },

  'alb-rule-quota': {
    severity: 'error',
    title: 'a load balancer exceeds its quota of rules',
    because: 'AWS allows 100 rules on a load balancer and rejects the rest; each path counts once for every port',
    fix: 'split the group, merge paths, or have AWS raise the quota and set maxRules',
    basis: 'documented',
    sources: [sources.limits],
    failing: yaml(`${INGRESS}${FURTHER}${MORE}`, ...STACK),
    corrected: yaml(INGRESS, SERVICE),
  },

  'alb-target-group-quota': {
    severity: 'error',
    title: 'a load balancer exceeds its quota of target groups',
    because: 'AWS allows 100 target groups on a load balancer, and every Ingress has its own for each Service and port',
    fix: 'split the group, or have AWS raise the quota and set maxTargetGroups',
    basis: 'documented',
    sources: [sources.limits, sources.targetGroup],
    failing: yaml(`${INGRESS}${FURTHER}${MORE}`, ...STACK),
    corrected: yaml(INGRESS, SERVICE),
  },

  'alb-group-frozen': {
    severity: 'error',
    title: 'the load balancer controller cannot build the load balancer',
    because: 'the controller applies nothing of the whole group: the load balancer keeps its previous rules',
    fix: 'fix the error that the controller reports',
    basis: 'run',
    sources: [sources.groupController],
    failing: yaml(annotated({ 'transforms.web': [{ type: 'rewrite' }] })),
    corrected: yaml(
      annotated({
        'transforms.web': [{ type: 'url-rewrite', urlRewriteConfig: { rewrites: [{ regex: '^/v1/', replace: '/' }] } }],
      }),
    ),
  },
});

/** Checks paths and annotation keys of every Ingress, and the size of every load balancer. */
export const checkPaths: AwsAlbChecker = (check) => [
  ...check.ruled.flatMap(paths),
  ...check.members.flatMap(keys),
  ...check.members.flatMap((member) => unread(member, check)),
];

/** Annotations that not every release reads, by the fact of those that do. */
const READ_SINCE: readonly (readonly [annotation: RegExp, fact: keyof AwsLoadBalancerControllerFacts])[] = [
  [/^transforms\./, 'transforms'],
  [/^use-regex-path-match$/, 'regexPaths'],
  [/^jwt-validation$/, 'jwtValidation'],
];

function unread({ ingress }: Member, { version }: AwsAlbCheck): Finding[] {
  return Object.keys(ingress.annotations).flatMap((key) => {
    const suffix = key.startsWith(`${ALB_PREFIX}/`) ? key.slice(ALB_PREFIX.length + 1) : '';
    const fact = READ_SINCE.find(([annotation]) => annotation.test(suffix))?.[1];
    if (fact === undefined || version.facts[fact]) return [];
    const since = AWS_LOAD_BALANCER_CONTROLLER_HISTORY[fact].find(({ is }) => is)!.from;
    return [
      ingress.manifest.finding(pathRules['alb-annotation-version'], {
        message: `the AWS Load Balancer Controller ${version} does not read the annotation ${key}, which v${since} is the first to read`,
        path: ['metadata', 'annotations', key],
      }),
    ];
  });
}

const AS_WRITTEN = 'ImplementationSpecific';

function paths(member: Member): Finding[] {
  const { ingress } = member;
  return backendsOf(member).flatMap(({ path }) => {
    if (path === undefined) return [];
    const isLiteral = path.path === '/' && (path.pathType ?? AS_WRITTEN) === AS_WRITTEN;
    try {
      const { values } = pathPatterns(ingress, path, true);
      if (!isLiteral || values.length === 0) return [];
      return [
        ingress.manifest.finding(pathRules['alb-literal-root-path'], {
          message: `the path / has the type ${path.pathType ?? `${AS_WRITTEN} (none is given)`}`,
          path: path.at,
        }),
      ];
    } catch (error) {
      if (!(error instanceof BuildFailure)) throw error;
      if (error.errorClass !== 'path-wildcard') return [];
      return [
        ingress.manifest.finding(pathRules['alb-path-wildcard'], {
          message: error.message,
          path: error.path ?? path.at,
        }),
      ];
    }
  });
}

const MAX_KEY = 63;

function keys({ ingress }: Member): Finding[] {
  const names = Object.keys(ingress.annotations).filter((key) => key.startsWith(`${ALB_PREFIX}/`));
  return names.flatMap((key) => {
    const length = key.length - ALB_PREFIX.length - 1;
    if (length <= MAX_KEY) return [];
    return [
      ingress.manifest.finding(pathRules['alb-annotation-key-too-long'], {
        message: `the annotation ${key} has ${length} characters after the slash; ${MAX_KEY} are allowed`,
        path: ['metadata', 'annotations', key],
      }),
    ];
  });
}

/**
 * Checks that the controller can build every load balancer, and the size of each.
 * @param found the findings of other checks; a group that fails for one of them is not reported again
 */
export function checkLoadBalancers(check: AwsAlbCheck, found: readonly Finding[]): Finding[] {
  const { world, options, version } = check;
  const refused = new Set(
    found.filter(({ severity }) => severity === 'error').map(({ object }) => JSON.stringify(object)),
  );
  return buildModel(world, { ...options, facts: version.facts }).groups.flatMap((group) => [
    ...(group.failure === undefined ? unreachedFindings(group, check) : frozen(group, group.failure, refused)),
    ...quotas(group, options.maxRules ?? 100, options.maxTargetGroups ?? 100),
  ]);
}

function frozen({ members }: AlbGroup, failure: BuildFailure, refused: ReadonlySet<string>): Finding[] {
  // Another check decides whether a Service is missing or only external.
  if (failure.errorClass === 'service-not-found') return [];
  if (members.some(({ manifest }) => refused.has(JSON.stringify(manifest.ref)))) return [];
  const { manifest } = failure.ingress ?? members[0]!;
  return [
    manifest.finding(pathRules['alb-group-frozen'], {
      message: failure.message,
      ...(failure.path !== undefined && { path: failure.path }),
    }),
  ];
}

function quotas({ name, members, listeners }: AlbGroup, maxRules: number, maxTargetGroups: number): Finding[] {
  const rules = listeners.flatMap((listener) => listener.rules);
  const targetGroups = new Set(
    rules.flatMap(({ ingress, actions }) =>
      actions.flatMap((action) =>
        action.type === 'forward'
          ? action.targetGroups.map(({ weight: _, ...group }) => JSON.stringify([ingress.key, group]))
          : [],
      ),
    ),
  );
  const { manifest } = members.at(-1)!;
  const over = (rule: keyof typeof pathRules, count: number, max: number, what: string) =>
    count <= max
      ? []
      : [
          manifest.finding(pathRules[rule], {
            message: `the load balancer "${name}" gets ${count} ${what}; its quota is ${max}`,
          }),
        ];
  return [
    ...over('alb-rule-quota', rules.length, maxRules, 'rules'),
    ...over('alb-target-group-quota', targetGroups.size, maxTargetGroups, 'target groups'),
  ];
}
