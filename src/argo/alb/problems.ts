/** Finds problems in the objects of a Rollout without looking at other manifests. */
import { collectFindings, findingTexts, type ObjectRef } from '../../core/finding';
import { asObject, asText, isSet } from '../../core/json';
import { Manifest } from '../../core/manifest';
import { formatPath } from '../../core/path';
import { World } from '../../core/world';
import { awsAlbRules, checkAwsAlb } from '../../routers/aws-alb/checks';
import { annotationKey } from '../../routers/ingress/alb-annotations';
import { checkSpec } from '../admission/spec';
import { argoAlbRules, checkArgoAlb } from '../rules';
import { ingressProblems } from './ingress-problems';
import { type AlbPlan, canaryOptionsOf } from './plan';

/** The objects of a Rollout. */
export interface WrittenObjects {
  readonly rollout: object;
  readonly services: readonly object[];
  readonly ingresses: readonly object[];
}

/** Everything in the objects that Argo, Kubernetes or AWS would reject, one sentence each. */
export function problemsOf(plan: AlbPlan, objects: WrittenObjects): string[] {
  const own = [...workloadProblems(plan), ...serviceProblems(plan), ...stepProblems(plan), ...ingressProblems(plan)];
  return [...new Set([...own, ...refused(plan, objects)])];
}

const LABEL = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/;

function workloadProblems({ options, labels, port, targetPort }: AlbPlan): string[] {
  const { template, workloadRef, selector } = options;
  const both = template !== undefined && workloadRef !== undefined;
  const podLabels = template?.metadata?.labels ?? {};
  const missing = Object.entries(selector ?? {}).filter(([key, value]) => template && podLabels[key] !== value);
  return [
    ...(both ? ['template and workloadRef are both given: give only one of them'] : []),
    ...(template === undefined && workloadRef === undefined ? ['there are no pods: give template or workloadRef'] : []),
    ...(Object.keys(labels).length === 0
      ? [
          workloadRef === undefined
            ? 'the template has no labels: give metadata.labels, which select the pods'
            : `selector is missing: give the labels of the pods of ${workloadRef.kind ?? 'Deployment'} "${workloadRef.name}"`,
        ]
      : []),
    ...missing.map(([key, value]) => `selector has ${key}: ${value}, which is not among the labels of the template`),
    ...(isPort(port) ? [] : [`port is ${port}: give an integer from 1 to 65535`]),
    ...(typeof targetPort === 'string' || isPort(targetPort)
      ? []
      : [`targetPort is ${targetPort}: give an integer from 1 to 65535, or the name of a port`]),
  ];
}

function isPort(port: number): boolean {
  return Number.isInteger(port) && port >= 1 && port <= 65535;
}

function serviceProblems(plan: AlbPlan): string[] {
  const { services, action } = plan;
  const names = services.map(({ service }) => service.name);
  const repeated = services.filter(({ service, role }, index) => {
    // The action may have the name of the stable Service, and is then not a separate Service.
    return names.indexOf(service.name) < index && role !== 'root';
  });
  return [
    ...services
      .filter(({ service }) => !LABEL.test(service.name))
      .map(({ service, role }) => `${role}Service has the name "${service.name}": ${NAME_FIX}`),
    ...repeated.map(
      ({ service, role }) => `${role}Service is "${service.name}", which is also the name of another Service`,
    ),
    ...services
      .filter(
        ({ service, role }) => role === 'root' && service.isMade && names.indexOf(service.name) < names.length - 1,
      )
      .map(
        ({ service }) =>
          `rootService is "${service.name}", which is also the name of another Service: give only its name`,
      ),
    ...services.flatMap(({ service, role }) =>
      Object.keys(action === undefined ? {} : (service.metadata.annotations ?? {}))
        .filter((key) => key.startsWith(annotationKey('auth-')))
        .map(
          (key) =>
            `${role}Service has the annotation ${key}, which is ignored if an action has two Services: use auth of the Ingress`,
        ),
    ),
    ...migrationProblems(plan),
  ];
}

function migrationProblems({ options, action, firstStable }: AlbPlan): string[] {
  if (options.migration !== 'prepare') return [];
  switch (options.strategy.definition.kind) {
    case 'blueGreen':
      return ['migration is prepare, but blue-green has no action: remove migration'];
    case 'pingPong':
      return [
        'migration is prepare, but a release before the second step would leave the live Service of a ping-pong without pods: ' +
          'migrate to a canary first, and then to ping-pong with the live Service as pongService and its name as rootService',
      ];
    case 'canary':
      if (action === firstStable) return [];
      return [
        `migration is prepare, the action is "${action}" and the stable Service is "${firstStable}": give both the name of ` +
          'the live Service, so that its target group stays',
      ];
  }
}

const NAME_FIX =
  'give up to 63 lower case letters, digits and -, starting with a letter; default names are derived from metadata.name';

function stepProblems(plan: AlbPlan): string[] {
  const steps: readonly object[] = canaryOptionsOf(plan.options)?.steps ?? [];
  const set = new Set<string>();
  return steps.flatMap((step, index) => {
    const at = `steps[${index}]`;
    const { setHeaderRoute: route, setCanaryScale: scale } = asObject(step);
    const actions = Object.keys(step);
    const found = actions.length === 1 ? [] : [`${at} has ${actions.join(' and ') || 'nothing'}: give it one of them`];
    if (isSet(scale)) found.push(...scaleProblems(at, asObject(scale)));
    if (!isSet(route)) return found;
    const { name, match } = asObject(route);
    const isRemoval = !isSet(match);
    if (isRemoval && !set.has(asText(name))) {
      found.push(`${at} removes the header route "${asText(name)}", which no earlier step sets`);
    }
    if (Array.isArray(match) && match.length === 0) {
      found.push(`${at} sets the header route "${asText(name)}" without a header: Argo would remove it`);
    }
    if (!isRemoval) set.add(asText(name));
    return found;
  });
}

function scaleProblems(at: string, scale: object): string[] {
  const given = Object.entries(scale).filter(([, value]) => isSet(value));
  if (given.length !== 1) {
    return [`${at}.setCanaryScale has ${given.length} of weight, replicas and matchTrafficWeight: give one`];
  }
  const [[name, value]] = given as [[string, unknown]];
  if (name === 'matchTrafficWeight') {
    return value === true ? [] : [`${at}.setCanaryScale.matchTrafficWeight is ${value}: give true or leave it out`];
  }
  const isFine = Number.isInteger(value) && (value as number) >= 0 && (name !== 'weight' || (value as number) <= 100);
  const range = name === 'weight' ? 'an integer from 0 to 100' : 'an integer of at least 0';
  return isFine ? [] : [`${at}.setCanaryScale.${name} is ${value}: give ${range}`];
}

/** Rules that a message about a prop already covers, and consequences of other rules. */
const ECHOES: ReadonlySet<string> = new Set([
  argoAlbRules['argo-alb-service-port-invalid'].id,
  awsAlbRules['alb-group-frozen'].id,
]);

/** What the checks find in these objects; objects that exist elsewhere are not missed. */
function refused(plan: AlbPlan, { rollout, services, ingresses }: WrittenObjects): string[] {
  const world = World.of([rollout, ...services, ...ingresses].map((object) => Manifest.of(asObject(object))));
  const isPrepared = plan.options.migration === 'prepare';
  const findings = collectFindings([...checkArgoAlb(world), ...checkAwsAlb(world, awsOptions(plan))]).filter(
    ({ rule, severity }) =>
      severity === 'error' && !(isPrepared && rule === 'argo-alb-backend-not-use-annotation') && !ECHOES.has(rule),
  );
  return [
    ...checkSpec(asObject(rollout)).map(({ path, text }) => `${short(formatPath(path))}: ${text}`),
    ...findings.map(findingTexts).map(({ message, fix }) => `${short(message)}: ${fix}`),
  ];
}

function awsOptions({ services, ingresses, previewIngress }: AlbPlan) {
  const all = previewIngress === undefined ? ingresses : [...ingresses, previewIngress];
  const others = all.flatMap(({ options }) => (options.rules ?? []).flatMap(({ paths = [] }) => paths));
  const external: ObjectRef[] = [
    ...services.filter(({ service }) => !service.isMade).map(({ service }) => service.name),
    ...others.flatMap(({ backend }) => (backend === undefined || backend.action !== undefined ? [] : [backend.name])),
  ].map((name) => ({ kind: 'Service', name }));
  const named = (by: 'field' | 'annotation') =>
    all.flatMap(({ ingressClass }) => (ingressClass.by === by ? [ingressClass.settings.name] : []));
  return { external, installedClasses: named('field'), ingressClass: named('annotation')[0] };
}

/** Removes the part of a path that props do not have. */
function short(text: string): string {
  return text.replaceAll(/(?<![\w.])spec\.(strategy\.(canary|blueGreen)\.)?/g, '');
}
