/** Canaries on an ALB of Alibaba Cloud. */
import type { Finding } from '../../core/finding';
import type { Manifest } from '../../core/manifest';
import { defineRules } from '../../core/rule';
import { annotationKey } from '../../routers/ingress/alb-annotations';
import { LUA_CONFIG_MAP_NAME } from '../api';
import { ingressScriptKey } from '../scripts/lookup';
import { API_INGRESS, albOf, aliyunOrderingRules, checkAliyunOrders } from './aliyun-orders';
import { aliyunStepRules, checkAliyunSteps } from './aliyun-steps';
import { ALIYUN_CLASS_TYPE } from './annotations';
import { nameOf } from './aws-ingress';
import type { AlbCheck, AlbChecker, AlbRoute } from './context';
import { ALIYUN_INGRESS, aliyun, edit, yaml } from './examples';
import { sources } from './sources';

const CANARY = edit(
  ALIYUN_INGRESS,
  ['  name: web\n', '  name: beta\n'],
  [
    '    rollout-constructs.io/canary-order: "1"\n',
    '    alb.ingress.kubernetes.io/canary: "true"\n    alb.ingress.kubernetes.io/canary-by-header: x-beta\n    alb.ingress.kubernetes.io/canary-by-header-value: always\n',
  ],
);

/** A second application on the same ALB. */
const OTHER_APPLICATION = [
  API_INGRESS,
  ...aliyun()
    .filter((text) => /kind: (Rollout|Service|Deployment)$/m.test(text))
    .map((text) => text.replaceAll(/\bweb\b/g, 'api')),
];

const canaryRules = defineRules({
  'kruise-aliyun-canary-mixed': {
    severity: 'error',
    title: 'an Ingress has both a weight and a header or cookie of a canary',
    because: 'an Ingress of the ALB must not have both',
    fix: 'keep either the weight, or the header and the cookie',
    basis: 'documented',
    sources: [sources.aliyunIngress],
    failing: yaml(
      edit(CANARY, ['canary: "true"\n', 'canary: "true"\n    alb.ingress.kubernetes.io/canary-weight: "10"\n']),
    ),
    corrected: yaml(CANARY),
  },

  'kruise-aliyun-builtin-script': {
    severity: 'error',
    title: 'the built-in script gives every canary Ingress the order 1',
    because:
      'two applications with releases at the same time get canary Ingresses with the same order, and the ALB creates no ' +
      'rule for the second one',
    fix: "replace it: add LuaScripts.fromLibrary('aliyun-alb') to the ConfigMap kruise-rollout-configuration",
    basis: 'read',
    rehearsedAs: ['rehearsal-canaries-collide'],
    sources: [sources.aliyunScript, sources.aliyunOrder],
    failing: yaml(...aliyun().slice(0, 4), ...OTHER_APPLICATION),
    corrected: yaml(...aliyun(), ...OTHER_APPLICATION),
  },
});

/** Rules on canaries of an ALB of Alibaba Cloud. */
export const aliyunRules = { ...aliyunOrderingRules, ...aliyunStepRules, ...canaryRules };

/** Checks every Ingress of an ALB of Alibaba Cloud, and every canary on one. */
export const checkAliyun: AlbChecker = (check) => {
  const routes = check.routes.filter(({ provider, mode }) => provider === 'aliyun' && mode === 'ingress');
  return [
    ...checkAliyunOrders(check, routes),
    ...checkAliyunSteps(check, routes),
    ...check.aliyun.flatMap(mixed),
    ...builtin(check, routes),
  ];
};

function mixed(ingress: Manifest): Finding[] {
  const has = (name: string) => ingress.annotations[annotationKey(name)] !== undefined;
  if (!has('canary-weight') || !(has('canary-by-header') || has('canary-by-cookie'))) return [];
  return [
    ingress.finding(canaryRules['kruise-aliyun-canary-mixed'], {
      message: `the Ingress has canary-weight and ${has('canary-by-header') ? 'canary-by-header' : 'canary-by-cookie'}`,
      path: ['metadata', 'annotations', annotationKey('canary-weight')],
    }),
  ];
}

function builtin(check: AlbCheck, routes: readonly AlbRoute[]): Finding[] {
  const { world, rollouts } = check;
  const ref = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    namespace: rollouts.controllerNamespace,
    name: LUA_CONFIG_MAP_NAME,
  };
  const script = world.get(ref)?.get(['data', ingressScriptKey(ALIYUN_CLASS_TYPE)]);
  if ((typeof script === 'string' && script !== '') || rollouts.isExternal(ref)) return [];
  const using = routes.filter(({ route }) => route.ingress?.classType === ALIYUN_CLASS_TYPE);
  return using.map((subject) => {
    const { route, ingress } = subject;
    const alb = ingress === undefined ? undefined : albOf(world, ingress);
    const other = using.find(
      (each) => each !== subject && each.ingress !== undefined && albOf(world, each.ingress) === alb,
    );
    const sharing = other === undefined ? '' : `, as does ${nameOf(other.route)} on the same ALB`;
    return route.manifest.finding(canaryRules['kruise-aliyun-builtin-script'], {
      severity: other === undefined ? 'warning' : 'error',
      message: `${nameOf(route)} uses the built-in script of the class type "${ALIYUN_CLASS_TYPE}"${sharing}`,
      path: [...route.ingress!.path, 'classType'],
    });
  });
}
