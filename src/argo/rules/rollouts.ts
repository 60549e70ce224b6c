import type { Finding } from '../../core/finding';
import { asList, asObject, asText, isSet, numberOf } from '../../core/json';
import { keyedBy } from '../../core/keyed';
import type { Manifest } from '../../core/manifest';
import { formatPath, type Path } from '../../core/path';
import type { Rule } from '../../core/rule';
import type { World } from '../../core/world';
import { ALB_PREFIX, annotationKey, USE_ANNOTATION } from '../../routers/ingress/alb-annotations';
import { ARGO_ROLLOUT } from '../admission/findings';
import {
  ALB_PATH,
  type AlbRollout,
  type ArgoAlbCheck,
  experimentWeights,
  headerRoutesOf,
  ingressSubject,
} from './context';
import { argoAlbRolloutRules, READINESS_LABEL } from './rollout-rules';

type RuleId = keyof typeof argoAlbRolloutRules;

function found({ manifest }: AlbRollout, rule: RuleId, path: Path, text: string, step?: number): Finding {
  const details = { path, message: `${formatPath(path)}: ${text}`, ...(step === undefined ? {} : { step }) };
  return manifest.finding(argoAlbRolloutRules[rule] as Rule, details);
}

/** Checks Rollouts through an ALB, and blue-green Rollouts behind an Ingress. */
export function checkArgoRollouts(check: ArgoAlbCheck): Finding[] {
  return [
    ...check.rollouts.flatMap((rollout) => CHECKS.flatMap((one) => one(rollout, check))),
    ...checkBlueGreen(check),
  ];
}

const CHECKS: readonly ((rollout: AlbRollout, check: ArgoAlbCheck) => Finding[])[] = [
  checkPorts,
  checkHeaders,
  checkRouteNames,
  checkOrder,
  checkExperiments,
  checkSettings,
  checkServices,
  checkReadiness,
];

function checkPorts(rollout: AlbRollout, { world }: ArgoAlbCheck): Finding[] {
  const { servicePort: port, services, namespace: place } = rollout;
  if (port === undefined) return [];
  const path = [...ALB_PATH, 'servicePort'];
  if (port < 1 || port > 65535) {
    return [found(rollout, 'argo-alb-service-port-invalid', path, `${port} is not between 1 and 65535`)];
  }
  return services.flatMap(({ name }) => {
    const object = world.find('Service', name, place);
    const known = asList(asObject(object?.object.spec).ports).map((one) => numberOf(asObject(one).port));
    if (object === undefined || known.includes(port)) return [];
    const text = `Service "${name}" has no port ${port}; it has ${known.join(', ') || 'none'}`;
    return [{ ...found(rollout, 'argo-alb-service-without-port', path, text), related: object.declaration }];
  });
}

const MAX_VALUES = 3;
const MAX_RULE_VALUES = 5;

function checkHeaders(rollout: AlbRollout): Finding[] {
  const hasHost = rollout.ingresses.some(({ paths }) => paths.some(({ host }) => host !== ''));
  return headerRoutesOf(rollout).flatMap(({ matches, path, index }) => {
    const limit = (text: string, at: Path) => found(rollout, 'argo-alb-header-limit', at, text, index);
    const perName = new Map<string, number>();
    const each = matches.flatMap(({ headerName, headerValue }, at) => {
      const name = asText(headerName);
      const exact = asText(asObject(headerValue).exact);
      const place = [...path, 'match', at];
      perName.set(name, (perName.get(name) ?? 0) + 1);
      return [
        ...(name.length > 40 || name.toLowerCase() === 'host' || !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)
          ? [limit(`an ALB cannot match the header "${name}"`, [...place, 'headerName'])]
          : []),
        ...(exact.length > 128 ? [limit(`the value has ${exact.length} characters`, [...place, 'headerValue'])] : []),
        ...(/[*?]/.test(exact)
          ? [
              found(
                rollout,
                'argo-alb-header-wildcard',
                [...place, 'headerValue', 'exact'],
                `"${exact}" has a wildcard`,
                index,
              ),
            ]
          : []),
      ];
    });
    const many = [...perName].filter(([, count]) => count > MAX_VALUES);
    const total = matches.length + 1 + (hasHost ? 1 : 0);
    return [
      ...each,
      ...many.map(([name, count]) => limit(`the header ${name} has ${count} values`, [...path, 'match'])),
      ...(total > MAX_RULE_VALUES && many.length === 0
        ? [limit(`the rule has ${total} values with path${hasHost ? ' and host' : ''}`, [...path, 'match'])]
        : []),
    ];
  });
}

const ROUTE_NAME = /^[a-z]([-a-z0-9]{0,50}[a-z0-9])?$/;

const ofIngress = keyedBy(ingressKeys);
const ofService = keyedBy(serviceKeys);

function ingressKeys({ ingresses, namespace }: AlbRollout): string[] {
  return ingresses.map(({ manifest }) => `${namespace}/${manifest.name}`);
}

function serviceKeys({ services, namespace }: AlbRollout): string[] {
  return services.map(({ name }) => `${namespace}/${name}`);
}

/** Those that come before a Rollout. */
function earlier(rollout: AlbRollout, same: readonly AlbRollout[]): readonly AlbRollout[] {
  return same.slice(0, same.indexOf(rollout));
}

function checkRouteNames(rollout: AlbRollout, { rollouts }: ArgoAlbCheck): Finding[] {
  const backends = new Set(rollout.ingresses.flatMap(({ paths }) => paths.map(({ service: name }) => name)));
  const before = ingressKeys(rollout).flatMap((key) => earlier(rollout, ofIngress(rollouts, key)));
  const others = new Set(before.flatMap(({ routes }) => routes.map(({ name }) => name)));
  return rollout.routes.flatMap(({ name, path }) => {
    if (!ROUTE_NAME.test(name)) {
      return [found(rollout, 'argo-alb-route-name-invalid', path, `"${name}" cannot be the name of a backend`)];
    }
    const isTaken = backends.has(name) || others.has(name) || name === rollout.action;
    return isTaken ? [found(rollout, 'argo-alb-route-name-taken', path, `"${name}" is already in the Ingress`)] : [];
  });
}

/** Whether a step gives the canary pods. */
function scales(step: AlbRollout['steps'][number]['step']): boolean {
  const { weight, replicas } = asObject(step.setCanaryScale);
  return [numberOf(step.setWeight), numberOf(weight), numberOf(replicas)].some((amount) => (amount ?? 0) > 0);
}

function checkOrder(rollout: AlbRollout): Finding[] {
  const first = rollout.steps.findIndex(({ step }) => scales(step));
  return headerRoutesOf(rollout)
    .filter(({ index }) => first < 0 || index < first)
    .map(({ path, index, name }) =>
      found(
        rollout,
        'argo-alb-header-before-canary',
        path,
        `no step before the route "${name}" gives the canary pods`,
        index,
      ),
    );
}

function checkExperiments(rollout: AlbRollout): Finding[] {
  let weight = 0;
  return rollout.steps.flatMap(({ step, index, path }) => {
    weight = numberOf(step.setWeight) ?? weight;
    const weights = experimentWeights(step);
    if (weights.length === 0) return [];
    const total = weight + weights.reduce((sum, one) => sum + one, 0);
    const { servicePort: port, containerPorts } = rollout;
    const at = [...path, 'experiment'];
    const instances = rollout.ingresses.find(
      ({ manifest }) => manifest.annotations[annotationKey('target-type')] === 'instance',
    );
    return [
      ...(instances === undefined
        ? []
        : [
            found(
              rollout,
              'argo-alb-experiment-instance',
              at,
              `it has weights, but the targets of Ingress "${instances.manifest.name}" are instances`,
              index,
            ),
          ]),
      ...(total > 100
        ? [
            found(
              rollout,
              'argo-alb-weights-exceed',
              at,
              `the weights add up to ${total}, with setWeight ${weight}`,
              index,
            ),
          ]
        : []),
      ...(port !== undefined && containerPorts !== undefined && !containerPorts.includes(port)
        ? [
            found(
              rollout,
              'argo-alb-experiment-port',
              at,
              `servicePort ${port} is not a port of the containers, which have ${containerPorts.join(', ') || 'none'}`,
              index,
            ),
          ]
        : []),
    ];
  });
}

const MAX_STICKINESS = 604800;

function checkSettings(rollout: AlbRollout): Finding[] {
  const { stickinessConfig, annotationPrefix, rootService } = rollout.alb;
  const { enabled, durationSeconds } = asObject(stickinessConfig);
  const seconds = numberOf(durationSeconds);
  const prefix = asText(annotationPrefix);
  const isOut = seconds !== undefined && (seconds < 1 || seconds > MAX_STICKINESS);
  return [
    ...(enabled === true && isOut
      ? [
          found(
            rollout,
            'argo-alb-stickiness-range',
            [...ALB_PATH, 'stickinessConfig', 'durationSeconds'],
            `${seconds} is not between 1 and ${MAX_STICKINESS}`,
          ),
        ]
      : []),
    ...(prefix !== '' && prefix !== ALB_PREFIX
      ? [
          found(
            rollout,
            'argo-alb-annotation-prefix',
            [...ALB_PATH, 'annotationPrefix'],
            `"${prefix}" is not ${ALB_PREFIX}`,
          ),
        ]
      : []),
    // Ping-pong needs rootService.
    ...(!isSet(rollout.canary.pingPong) &&
    asText(rootService) !== '' &&
    asText(rootService) !== asText(rollout.canary.stableService)
      ? [
          found(
            rollout,
            'argo-alb-root-service-frozen',
            [...ALB_PATH, 'rootService'],
            `"${asText(rootService)}" is the action`,
          ),
        ]
      : []),
  ];
}

function checkServices(rollout: AlbRollout, { world, rollouts }: ArgoAlbCheck): Finding[] {
  const shared = rollout.services.flatMap(({ name, path }) => {
    const [other] = earlier(rollout, ofService(rollouts, `${rollout.namespace}/${name}`));
    const text = `Rollout "${other?.manifest.name}" also uses the Service "${name}"`;
    return other === undefined ? [] : [found(rollout, 'argo-service-shared', path, text)];
  });
  return [...shared, ...authFindings(rollout, world)];
}

function authFindings(rollout: AlbRollout, world: World): Finding[] {
  return rollout.services.flatMap(({ name, path }) => {
    const object = world.find('Service', name, rollout.namespace);
    const key = Object.keys(object?.annotations ?? {}).find((one) => one.startsWith(annotationKey('auth-')));
    return key === undefined
      ? []
      : [found(rollout, 'argo-alb-service-auth', path, `Service "${name}" has the annotation ${key}`)];
  });
}

function checkReadiness(rollout: AlbRollout, { world }: ArgoAlbCheck): Finding[] {
  const isIp = rollout.ingresses.some(({ manifest }) => manifest.annotations[annotationKey('target-type')] === 'ip');
  const place = world.find('Namespace', rollout.namespace);
  if (!isIp || place === undefined || place.labels[READINESS_LABEL] === 'enabled') return [];
  const text = `the Namespace "${place.name}" has no label ${READINESS_LABEL}: enabled`;
  return [found(rollout, 'argo-alb-no-readiness-gate', ALB_PATH, text)];
}

/** Ingresses by the Services that their paths name as actions. */
const withAction = keyedBy<Manifest>((ingress) =>
  ingressSubject(ingress).paths.flatMap(({ service, port }) => (port === USE_ANNOTATION && service ? [service] : [])),
);

function checkBlueGreen({ world }: ArgoAlbCheck): Finding[] {
  return world.list(ARGO_ROLLOUT).flatMap((manifest) => {
    const { blueGreen: strategy } = asObject(asObject(manifest.object.spec).strategy);
    if (!isSet(strategy)) return [];
    const { activeService, previewService } = asObject(strategy);
    const services = [...new Set([activeService, previewService].map(asText))];
    const ingresses = world.list('Ingress.networking.k8s.io', world.namespaceOf(manifest));
    return [...new Set(services.flatMap((name) => withAction(ingresses, name)))].flatMap((object) =>
      ingressSubject(object)
        .paths.filter(({ service: name, port }) => port === USE_ANNOTATION && services.includes(name ?? ''))
        .filter(({ service: name }) => object.annotations[annotationKey(`actions.${name}`)] === undefined)
        .map(({ service: name, at }) =>
          object.finding(argoAlbRolloutRules['argo-blue-green-use-annotation'], {
            path: [...at, 'backend', 'service', 'port'],
            message: `Ingress "${object.name}": the backend "${name}" of the blue-green Rollout "${manifest.name}" has the port ${USE_ANNOTATION}`,
          }),
        ),
    );
  });
}
