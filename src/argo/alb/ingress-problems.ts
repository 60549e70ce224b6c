import { redirectPortOf } from '../../routers/aws-alb/load-balancer-annotations';
import { annotationKey } from '../../routers/ingress/alb-annotations';
import { CLASS_ANNOTATION } from '../../routers/ingress/class';
import type { AlbPlan, PlannedIngress } from './plan';
import { settingsOf } from './settings';

/** The problems of the Ingresses of a plan, by the names of their props. */
export function ingressProblems(plan: AlbPlan): string[] {
  const { options, ingresses, previewIngress } = plan;
  const all = previewIngress === undefined ? ingresses : [...ingresses, previewIngress];
  const names = all.map(({ name }) => name);
  return [
    ...(options.ingress !== undefined && options.ingresses !== undefined
      ? ['ingress and ingresses are both given: give only one of them']
      : []),
    ...(ingresses.length === 0 ? ['ingresses is empty: leave it out for one Ingress'] : []),
    ...all
      .filter(({ name }, index) => names.indexOf(name) < index)
      .map(({ prop, name }) => `${prop} has the name "${name}" of another Ingress: give metadata.name`),
    ...(new Set(all.map(({ targetType }) => targetType)).size > 1
      ? ['the Ingresses have different targetTypes for the same Services: give all of them the same one']
      : []),
    ...all.flatMap((one) => [...classProblems(one), ...settingProblems(one, plan), ...pathProblems(one, plan)]),
  ];
}

function classProblems({ prop, options, ingressClass }: PlannedIngress): string[] {
  const { settings, by } = ingressClass;
  const pairs = [
    ['targetType', options.targetType, settings.targetType],
    ['scheme', options.scheme, settings.scheme],
    ['group.name', options.group?.name, settings.group],
  ] as const;
  return [
    ...(by !== 'annotation' && options.metadata?.annotations?.[CLASS_ANNOTATION] !== undefined
      ? [
          `${prop}.metadata has the annotation ${CLASS_ANNOTATION}: use ArgoAlbClass.annotation(), which omits the field`,
        ]
      : []),
    ...(by !== 'none' && settings.name === '' ? [`${prop}.ingressClass has no name: use ArgoAlbClass.none()`] : []),
    ...pairs
      .filter(([, own, ofClass]) => own !== undefined && ofClass !== undefined && own !== ofClass)
      .map(
        ([name, own, ofClass]) =>
          `${prop}.${name} is "${own}", but the ingress class "${settings.name}" sets it to "${ofClass}", which wins: leave it out`,
      ),
  ];
}

function settingProblems(ingress: PlannedIngress, plan: AlbPlan): string[] {
  const { prop, options } = ingress;
  const given = options.metadata?.annotations ?? {};
  const own = settingsOf(ingress);
  const { namespace } = options.metadata ?? {};
  const theirs = [plan.action, ...plan.routes].flatMap((name) =>
    name === undefined ? [] : [annotationKey(`actions.${name}`)],
  );
  return [
    ...(namespace !== undefined && namespace !== (plan.metadata.namespace ?? namespace)
      ? [
          `${prop} is in the namespace "${namespace}" and the Rollout in "${plan.metadata.namespace}": give both the same`,
        ]
      : []),
    ...Object.keys(given)
      .filter((key) => own[key] !== undefined && own[key] !== given[key])
      .map((key) => `${prop}.metadata has the annotation ${key}, which a prop sets: use the prop instead`),
    ...Object.keys(given)
      .filter((key) => theirs.includes(key))
      .map((key) => `${prop}.metadata has the annotation ${key}, which Argo writes: every apply would reset it`),
    ...(options.sslRedirect === true && redirectPortOf(options) === undefined
      ? [`${prop}.sslRedirect needs an HTTPS port: add one to listenPorts`]
      : []),
    ...(options.listenPorts?.length === 0 ? [`${prop}.listenPorts is empty: leave it out, or give a port`] : []),
  ];
}

function pathProblems({ prop, options, backend: own }: PlannedIngress, plan: AlbPlan): string[] {
  const { rules = [] } = options;
  const taken = new Set([own.name, ...plan.services.map(({ service }) => service.name)]);
  const paths = rules.flatMap(({ paths: list = [] }) => list);
  return [
    ...(options.rules?.length === 0 ? [`${prop}.rules is empty: leave it out to send everything to the Rollout`] : []),
    ...rules
      .filter(({ paths: list }) => list?.length === 0)
      .map(({ host }) => `${prop}: the host "${host ?? '*'}" has no paths: leave them out to send all to the Rollout`),
    ...paths
      .filter(({ path }) => !path.startsWith('/'))
      .map(({ path }) => `${prop}: the path "${path}" does not start with a slash`),
    ...paths.flatMap(({ path, backend }) =>
      backend?.action !== undefined && taken.has(backend.name)
        ? [
            `${prop}: the path ${path} has an action "${backend.name}", which is also the name of a Service of the Rollout`,
          ]
        : [],
    ),
    ...(rules.length > 0 && !rules.some(({ paths: list }) => list === undefined || list.some(({ backend }) => !backend))
      ? [`${prop} has no path that leads to the Rollout: leave out the backend of one`]
      : []),
  ];
}
