import type { Finding } from '../../core/finding';
import { asText, isSet } from '../../core/json';
import { keyedBy } from '../../core/keyed';
import { formatPath } from '../../core/path';
import { defineRules } from '../../core/rule';
import { ALB_PREFIX, annotationKey, USE_ANNOTATION } from '../../routers/ingress/alb-annotations';
import { canary, ingress, service } from '../admission/rules/examples';
import { ALB_PATH, type ArgoAlbCheck, headerRoutesOf } from './context';
import { sources } from './sources';

const SERVICES = `${service('shop-stable')}${service('shop-canary')}`;
const HEADER =
  '- setCanaryScale: {weight: 20}\n- setHeaderRoute: {name: beta, match: [{headerName: x-beta, headerValue: {exact: "1"}}]}';
const ROUTING = 'alb: {ingress: shop, servicePort: 80}\nmanagedRoutes: [{name: beta}]';

/** A Rollout with a header route, and an Ingress. */
export const withHeaderRoute = (text: string) =>
  canary({ routing: ROUTING, steps: HEADER, objects: `${SERVICES}${text}` });

const OTHER = '---\napiVersion: argoproj.io/v1alpha1\nkind: Rollout\nmetadata: {name: store}\n';
const sharing = (root: string) => {
  const own = canary({ routing: `alb: {ingress: shop, servicePort: 80, rootService: shop-stable}` }).text;
  const other = canary({
    services: 'canaryService: store-canary, stableService: store-stable',
    routing: `alb: {ingress: shop, servicePort: 80, rootService: ${root}}`,
    objects: `${service('store-stable')}${service('store-canary')}`,
  }).text;
  const paths = 'backend: {service: {name: shop-stable, port: {name: use-annotation}}}}';
  return {
    language: 'yaml' as const,
    text: `${own.replace(paths, `${paths}, {path: "/s", pathType: ImplementationSpecific, backend: {service: {name: store, port: {name: use-annotation}}}}`)}${OTHER}${other.split('metadata: {name: shop}\n')[1]}`,
  };
};
const LONG = `shop-${'x'.repeat(52)}`;
const withRoot = (root: string) =>
  canary({
    routing: `alb: {ingress: shop, servicePort: 80, rootService: ${root}}`,
    objects: `${SERVICES}${ingress({ backend: `{service: {name: ${root}, port: {name: use-annotation}}}` })}`,
  });
const OWN_PATH = 'backend: {service: {name: shop-stable, port: {name: use-annotation}}}}';
const ACTION = `${ALB_PREFIX}/actions.shop-stable: '{"Type":"forward","ForwardConfig":{"TargetGroups":[{"ServiceName":"shop-stable","ServicePort":"80"}]}}'`;

/** Rules for the Ingresses of a Rollout. */
export const argoIngressRules = defineRules({
  'argo-alb-backend-not-use-annotation': {
    severity: 'error',
    title: 'the backend of a canary through an ALB has a port instead of the name use-annotation',
    because:
      'the load balancer controller forwards directly to that Service and never reads the action that Argo ' +
      'writes: the weights have no effect, but Argo continues the release',
    fix: 'write port: {name: use-annotation}',
    basis: 'read',
    rehearsedAs: ['rehearsal-canary-gets-nothing'],
    sources: [sources.backend],
    failing: canary({
      objects: `${SERVICES}${ingress({ backend: '{service: {name: shop-stable, port: {number: 80}}}' })}`,
    }),
    corrected: canary(),
  },
  'argo-alb-ingress-without-annotations': {
    severity: 'error',
    title: 'an Ingress with managed routes has no annotations',
    because:
      'every reconcile of the Rollout panics when it sets or removes a route, already at the first deployment. Argo recovers ' +
      'and retries forever, so this Rollout makes no progress. Other Rollouts continue',
    fix: 'add any annotation to the Ingress, for example alb.ingress.kubernetes.io/scheme',
    basis: 'run',
    rehearsedAs: ['rehearsal-controller-stuck'],
    sources: [sources.alb],
    failing: withHeaderRoute(ingress().replace('  annotations: {alb.ingress.kubernetes.io/target-type: ip}\n', '')),
    corrected: withHeaderRoute(ingress()),
  },
  'argo-alb-action-in-manifest': {
    severity: 'warning',
    title: 'a manifest has the action that Argo writes',
    because: 'every apply replaces the weights of the running release with these weights',
    fix: 'remove the annotation; it is useful only while you migrate a live Ingress to use-annotation',
    basis: 'read',
    rehearsedAs: ['rehearsal-group-freezes'],
    sources: [sources.alb],
    failing: canary({ objects: `${SERVICES}${ingress({ annotations: ACTION })}` }),
    corrected: canary(),
  },
  'argo-alb-header-path-type': {
    severity: 'error',
    title: 'a path of an Ingress comes before the header route of a Rollout',
    because:
      'Argo inserts the header route as ImplementationSpecific /*, but the load balancer controller sorts Exact and ' +
      'Prefix paths before it: the header never matches',
    fix: 'write path: /* with pathType: ImplementationSpecific',
    basis: 'run',
    rehearsedAs: ['rehearsal-canary-gets-nothing'],
    sources: [sources.rules, sources.ingress],
    failing: withHeaderRoute(ingress({ path: '/', pathType: 'Prefix' })),
    corrected: withHeaderRoute(ingress()),
  },
  'argo-alb-header-route-leaks': {
    severity: 'error',
    title: 'an Ingress with a header route has paths to other backends',
    because:
      'Argo inserts the header route at the start of every rule of the Ingress: requests with the header go to the canary ' +
      'for any host and path',
    fix: 'use a separate Ingress for the Rollout; alb.ingress.kubernetes.io/group.name keeps both on one load balancer',
    basis: 'run',
    sources: [sources.ingress],
    failing: withHeaderRoute(
      ingress().replace(
        'backend: {service: {name: shop-stable, port: {name: use-annotation}}}}',
        'backend: {service: {name: shop-stable, port: {name: use-annotation}}}}, {path: "/blog", pathType: ImplementationSpecific, backend: {service: {name: blog, port: {number: 80}}}}',
      ),
    ),
    corrected: withHeaderRoute(ingress()),
  },
  'argo-alb-header-regex-path': {
    severity: 'error',
    title: 'an Ingress with a header route has regular expressions as paths',
    because:
      'Argo inserts the path /*, which becomes the invalid regular expression *, and the load balancer keeps its old rules',
    fix: 'remove the annotation use-regex-path-match',
    basis: 'run',
    rehearsedAs: ['rehearsal-incomplete'],
    sources: [sources.rules, sources.ingress],
    failing: withHeaderRoute(
      ingress({ annotations: `${ALB_PREFIX}/target-type: ip, ${ALB_PREFIX}/use-regex-path-match: "true"` }),
    ),
    corrected: withHeaderRoute(ingress()),
  },
  'argo-alb-rule-without-paths': {
    severity: 'error',
    title: 'an Ingress with managed routes has a rule without paths',
    because:
      'every reconcile of the Rollout panics when it sets or removes a route. Argo recovers and retries forever, so this ' +
      'Rollout makes no progress. Other Rollouts continue',
    fix: 'add a path to the rule, or remove the rule',
    basis: 'read',
    rehearsedAs: ['rehearsal-controller-stuck'],
    sources: [sources.ingress],
    failing: withHeaderRoute(ingress().replace('  rules:\n', '  rules:\n    - host: old.example.com\n')),
    corrected: withHeaderRoute(ingress()),
  },
  'argo-alb-resource-backend': {
    severity: 'error',
    title: 'an Ingress of a Rollout has a backend that is not a Service, after the path of the Rollout',
    because:
      'the load balancer controller supports Services only and keeps the old rules of the whole group. If the path came ' +
      'first, every reconcile of the Rollout would panic, and Argo would retry forever',
    fix: 'move the path to an Ingress of another controller, or use a Service as its backend',
    basis: 'run',
    rehearsedAs: ['rehearsal-group-freezes'],
    sources: [sources.backend, sources.ingress],
    failing: canary({
      objects: `${SERVICES}${ingress().replace(
        OWN_PATH,
        `${OWN_PATH}, {path: "/files", pathType: ImplementationSpecific, backend: {resource: {kind: Bucket, name: files}}}`,
      )}`,
    }),
    corrected: canary(),
  },
  'argo-alb-action-shared': {
    severity: 'error',
    title: 'two Rollouts write the same action of an Ingress',
    because: "both Rollouts overwrite each other's weights forever",
    fix: 'use a separate rootService or stableService for each Rollout',
    basis: 'read',
    sources: [sources.alb],
    failing: sharing('shop-stable'),
    corrected: sharing('store'),
  },
  'argo-alb-action-name-too-long': {
    severity: 'error',
    title: 'the name of the action is too long for an annotation',
    because:
      'the name of an annotation has at most 63 characters, and "actions." takes 8 of them: the API server refuses the patch',
    fix: 'choose a rootService or stableService of 55 characters or less',
    basis: 'documented',
    sources: [sources.names],
    failing: withRoot(LONG),
    corrected: withRoot('shop-root'),
  },
});

const MAX_ACTION_NAME = 55;

/** Checks the Ingresses of Rollouts. */
export function checkArgoIngresses({ rollouts }: ArgoAlbCheck): Finding[] {
  return rollouts.flatMap((rollout) => {
    const { action, manifest, ingresses, routes, alb } = rollout;
    const hasHeaderRoute = headerRoutesOf(rollout).length > 0;
    const rest = ingresses.flatMap((one) => {
      const { manifest: object, paths, emptyRules } = one;
      const own = paths.filter(({ service: name }) => name === action);
      const annotations = Object.keys(object.annotations);
      const key = `${asText(alb.annotationPrefix) || ALB_PREFIX}/actions.${action}`;
      const named = (name: string) => `Ingress "${object.name}" of Rollout "${manifest.name}": ${name}`;
      const found: Finding[] = own
        .filter(({ port }) => port !== USE_ANNOTATION)
        .map(({ port, at }) =>
          object.finding(argoIngressRules['argo-alb-backend-not-use-annotation'], {
            path: [...at, 'backend', 'service', 'port'],
            message: named(
              `the backend "${action}" has ${port ? `port ${port}` : 'no port'} instead of ${USE_ANNOTATION}`,
            ),
          }),
        );
      const first = paths.findIndex(({ service: name }) => name === action);
      for (const { at } of (first < 0 ? [] : paths.slice(first)).filter(({ service: name }) => name === undefined)) {
        found.push(
          object.finding(argoIngressRules['argo-alb-resource-backend'], {
            path: [...at, 'backend'],
            message: named(`the backend of ${formatPath(at)} is not a Service`),
          }),
        );
      }
      if (annotations.includes(key)) {
        found.push(
          object.finding(argoIngressRules['argo-alb-action-in-manifest'], {
            path: ['metadata', 'annotations', key],
            message: named(`only Argo may write the annotation ${key}`),
          }),
        );
      }
      if (routes.length > 0 && annotations.length === 0) {
        found.push(
          object.finding(argoIngressRules['argo-alb-ingress-without-annotations'], {
            path: ['metadata'],
            message: named('the Rollout has managedRoutes, but the Ingress has no annotations'),
          }),
        );
      }
      if (routes.length > 0) {
        for (const at of emptyRules) {
          found.push(
            object.finding(argoIngressRules['argo-alb-rule-without-paths'], {
              path: at,
              message: named(`${formatPath(at)} has no paths`),
            }),
          );
        }
      }
      if (!hasHeaderRoute) return found;
      const regexKey = annotationKey('use-regex-path-match');
      if (object.annotations[regexKey] === 'true') {
        found.push(
          object.finding(argoIngressRules['argo-alb-header-regex-path'], {
            path: ['metadata', 'annotations', regexKey],
            message: named(`${regexKey} is true, but Argo inserts the path /*`),
          }),
        );
      }
      const mine = new Set([action, ...routes.map(({ name }) => name)]);
      for (const { pathType, service: name, at } of paths) {
        if (pathType !== 'ImplementationSpecific' && name === action) {
          found.push(
            object.finding(argoIngressRules['argo-alb-header-path-type'], {
              path: [...at, 'pathType'],
              message: named(`${formatPath(at)} is ${pathType}, which comes before the header route`),
            }),
          );
        }
        if (name !== undefined && !mine.has(name)) {
          found.push(
            object.finding(argoIngressRules['argo-alb-header-route-leaks'], {
              path: at,
              message: named(`the header route would also take requests for the backend "${name}"`),
            }),
          );
        }
      }
      return found;
    });
    return [...nameFindings(rollout), ...sharedFindings(rollout, rollouts), ...rest];
  });
}

function nameFindings({ manifest, action, alb }: AlbRollout): Finding[] {
  if (action.length <= MAX_ACTION_NAME) return [];
  const path = isSet(alb.rootService) ? [...ALB_PATH, 'rootService'] : ['spec', 'strategy', 'canary', 'stableService'];
  return [
    manifest.finding(argoIngressRules['argo-alb-action-name-too-long'], {
      path,
      message: `${formatPath(path)}: "${action}" has ${action.length} characters, more than the limit of ${MAX_ACTION_NAME}`,
    }),
  ];
}

type AlbRollout = ArgoAlbCheck['rollouts'][number];

const ofAction = keyedBy<AlbRollout>(actionKeys);

function actionKeys({ namespace, action }: AlbRollout): string[] {
  return action === '' ? [] : [`${namespace}/${action}`];
}

function sharedFindings(rollout: AlbRollout, all: readonly AlbRollout[]): Finding[] {
  const same = actionKeys(rollout).flatMap((key) => ofAction(all, key));
  return same.slice(0, same.indexOf(rollout)).flatMap((other) =>
    other.ingressNames
      .filter((name) => rollout.ingressNames.includes(name))
      .map((name) =>
        rollout.manifest.finding(argoIngressRules['argo-alb-action-shared'], {
          path: ALB_PATH,
          message: `${formatPath(ALB_PATH)}: the action "${rollout.action}" of Ingress "${name}" is also an action of Rollout "${other.manifest.name}"`,
          related: { message: `Rollout "${other.manifest.name}" is declared here`, object: other.manifest.ref },
        }),
      ),
  );
}
