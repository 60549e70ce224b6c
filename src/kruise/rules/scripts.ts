/** Checks that the controller finds a script for each route. */

import { didYouMean } from '../../core/did-you-mean';
import type { Finding, ObjectRef } from '../../core/finding';
import type { Path } from '../../core/path';
import { defineRules } from '../../core/rule';
import { LUA_CONFIG_MAP_NAME } from '../api';
import { NGINX_SCRIPT, scriptConfigMap } from '../scripts/example-scripts';
import {
  DEFAULT_CLASS_TYPE,
  lookupCustomScript,
  lookupIngressScript,
  type ScriptLookup,
  type ScriptSources,
} from '../scripts/lookup';
import type { RouteSubject } from '../subject';
import { INGRESS, listed, type RolloutCheck, type RolloutChecker } from './context';
import * as example from './examples';
import { edit, yaml } from './examples';
import { issue, source } from './sources';

const CONFIG_MAP = scriptConfigMap('ingress.my-class', NGINX_SCRIPT);
const STACK = [example.DEPLOYMENT, example.SERVICE] as const;
/** Has an annotation, because the built-in script for mse stops on an Ingress without annotations. */
const MSE_INGRESS = edit(
  example.INGRESS,
  ['ingressClassName: nginx', 'ingressClassName: mse'],
  ['name: web, namespace: shop }', 'name: web, namespace: shop, annotations: { example.com/owner: shop } }'],
);

/** Rules for the lookup of scripts. */
export const scriptLookupRules = defineRules({
  'kruise-script-missing': {
    severity: 'error',
    title: 'the class type or kind of a route has no script',
    because:
      'the controller looks up the script before anything else. Without it, the Rollout stays in Progressing ' +
      "forever, and only the controller's log gives the reason",
    fix: 'use a class type with a script, or add the script to the ConfigMap kruise-rollout-configuration',
    basis: 'read',
    rehearsedAs: ['rehearsal-controller-stuck'],
    sources: [source.ingress, source.custom, issue(129), issue(234)],
    failing: yaml(
      edit(example.ROLLOUT, ['classType: nginx', 'classType: my-clas']),
      ...STACK,
      edit(example.INGRESS, ['ingressClassName: nginx', 'ingressClassName: my-class']),
      CONFIG_MAP,
    ),
    corrected: yaml(
      edit(example.ROLLOUT, ['classType: nginx', 'classType: my-class']),
      ...STACK,
      edit(example.INGRESS, ['ingressClassName: nginx', 'ingressClassName: my-class']),
      CONFIG_MAP,
    ),
  },

  'kruise-class-type-mismatch': {
    severity: 'warning',
    title: 'the script writes annotations that the Ingress controller of the class does not read',
    because:
      'classType only selects the script and is independent of ingressClassName; without classType, the script ' +
      'for nginx runs. A load balancer that does not know the annotations ignores all or some of the routing',
    fix: 'set the class type of the load balancer that serves the Ingress',
    basis: 'inferred',
    sources: [source.ingress],
    failing: yaml(edit(example.ROLLOUT, ['{ name: web, classType: nginx }', '{ name: web }']), ...STACK, MSE_INGRESS),
    corrected: yaml(edit(example.ROLLOUT, ['classType: nginx', 'classType: mse']), ...STACK, MSE_INGRESS),
  },
});

/** Checks that there is a script for every route. */
export const checkScriptLookup: RolloutChecker = (check) =>
  check.routes.flatMap((route) => [
    ...ingressScript(check, route),
    ...customScripts(check, route),
    ...mismatch(check, route),
  ]);

function ingressScript(check: RolloutCheck, { manifest, ingress }: RouteSubject): Finding[] {
  if (ingress === undefined) return [];
  const classType = ingress.classType || DEFAULT_CLASS_TYPE;
  const sources = check.scriptSources();
  const found = lookupIngressScript(classType, sources);
  if (found.found && found.from !== 'assumed') return [];
  const place = ingress.classType === '' ? ingress.path : [...ingress.path, 'classType'];
  const classTypes = [...check.version.facts.builtinIngressScripts, ...classTypesOf(sources)];
  const meant = didYouMean(classType, classTypes);
  const kinds = KINDS_OF_CLASS.get(classType.toLowerCase());
  const fix =
    meant !== undefined
      ? `did you mean "${meant}"? If not, add the script as "${found.key}" to the ConfigMap ${LUA_CONFIG_MAP_NAME}`
      : kinds !== undefined
        ? `route through customNetworkRefs instead of ingress: ${kinds}`
        : `add the script as "${found.key}" to the ConfigMap ${LUA_CONFIG_MAP_NAME} in ${check.controllerNamespace}; ` +
          `the built-in class types are ${listed(check.version.facts.builtinIngressScripts)}`;
  return missing(check, manifest, place, `the class type "${classType}"`, found, fix);
}

/** Class types that users write although those gateways route by objects of another kind. */
const KINDS_OF_CLASS: ReadonlyMap<string, string> = new Map([
  ['istio', 'apiVersion networking.istio.io/v1, kind VirtualService has a built-in script'],
  ['apisix', 'apiVersion apisix.apache.org/v2, kind ApisixRoute, with a script in the ConfigMap'],
  ['contour', 'apiVersion projectcontour.io/v1, kind HTTPProxy, with a script in the ConfigMap'],
  ['traefik', 'apiVersion traefik.io/v1alpha1, kind TraefikService, with a script in the ConfigMap'],
  ['kuma', 'apiVersion kuma.io/v1alpha1, kind MeshHTTPRoute, with a script in the ConfigMap'],
  ['gateway', 'or use gateway.httpRouteName, which needs no script'],
  [
    'alb',
    'apiVersion networking.k8s.io/v1, kind Ingress, with a script in the ConfigMap; or use the class type aws-alb or aliyun-alb',
  ],
]);

function customScripts(check: RolloutCheck, { manifest, customNetworkRefs }: RouteSubject): Finding[] {
  return customNetworkRefs.flatMap(({ path, ref }) => {
    if (ref.kind === '' || ref.apiVersion === '') return [];
    const found = lookupCustomScript(ref, check.scriptSources());
    const isEmpty = found.found && found.source.trim() === '';
    if (found.found && found.from !== 'assumed' && !isEmpty) return [];
    const what = `the kind ${ref.kind} of ${ref.apiVersion}`;
    if (!check.version.facts.customNetworkRefs) return [unsupported(manifest, path, what)];
    const fix = `add the script as "${found.key}" to the ConfigMap ${LUA_CONFIG_MAP_NAME} in ${check.controllerNamespace}`;
    return missing(check, manifest, path, what, found, fix);
  });
}

/** A release without `customNetworkRefs` reads no script for them, whatever the ConfigMap has. */
function unsupported(manifest: RouteSubject['manifest'], path: Path, what: string): Finding {
  return manifest.finding(scriptLookupRules['kruise-script-missing'], {
    message: `there is no script for ${what}`,
    path,
    fix: 'use Kruise Rollouts v0.5.0 or newer',
  });
}

function missing(
  check: RolloutCheck,
  manifest: RouteSubject['manifest'],
  path: Path,
  what: string,
  lookup: ScriptLookup,
  fix: string,
): Finding[] {
  const configMap = configMapOf(check);
  const ref = { apiVersion: 'v1', kind: 'ConfigMap', namespace: check.controllerNamespace, name: LUA_CONFIG_MAP_NAME };
  if (configMap === undefined && check.isExternal(ref)) return [];
  if (lookup.found && lookup.from === 'assumed') return [assumed(manifest, path, what, ref)];
  const isKnown = typeof check.scripts === 'object' || configMap !== undefined;
  const where = isKnown ? '' : ', unless a ConfigMap that is not among the manifests has it';
  return [
    manifest.finding(scriptLookupRules['kruise-script-missing'], {
      severity: isKnown ? 'error' : 'warning',
      message: lookup.found
        ? `the script for ${what} is empty: the entry "${lookup.key}" of the ConfigMap`
        : `there is no script for ${what}${where}`,
      path,
      fix,
      ...(configMap === undefined && { absent: [ref] }),
    }),
  ];
}

/** Nobody says which scripts the cluster has, and the library has one of this name. */
function assumed(manifest: RouteSubject['manifest'], path: Path, what: string, ref: ObjectRef): Finding {
  return manifest.finding(scriptLookupRules['kruise-script-missing'], {
    severity: 'warning',
    message: `the script for ${what} is not among the manifests, so the one of this library is assumed`,
    because: 'the script decides where requests go, and the cluster may have another one',
    path,
    fix: 'say which scripts the cluster has: scripts: [library], a folder, or a file with the ConfigMap, in the configuration or with --scripts',
    absent: [ref],
  });
}

function configMapOf({ world, controllerNamespace }: RolloutCheck) {
  return world.find('ConfigMap', LUA_CONFIG_MAP_NAME, controllerNamespace);
}

function classTypesOf({ configMap }: ScriptSources): string[] {
  const data = (configMap as { readonly data?: object } | undefined)?.data ?? {};
  const prefix = 'lua.traffic.routing.ingress.';
  return Object.keys(data).flatMap((key) => (key.startsWith(prefix) ? [key.slice(prefix.length)] : []));
}

/** The class types that fit an Ingress class, by the default name of the class. */
const CLASS_TYPES_OF: Readonly<Record<string, readonly string[]>> = {
  nginx: ['nginx'],
  alb: ['aws-alb', 'aliyun-alb'],
  higress: ['higress', 'nginx'],
  mse: ['mse', 'nginx-mse'],
};

function mismatch({ world, version }: RolloutCheck, { manifest, namespace, ingress }: RouteSubject): Finding[] {
  if (ingress === undefined) return [];
  const classType = ingress.classType || DEFAULT_CLASS_TYPE;
  const known = [...version.facts.builtinIngressScripts, 'aws-alb'];
  const className = world.find(INGRESS, ingress.name, namespace)?.get('spec.ingressClassName');
  const fitting =
    typeof className === 'string' && Object.hasOwn(CLASS_TYPES_OF, className) && CLASS_TYPES_OF[className];
  if (!fitting || fitting.includes(classType) || !known.includes(classType)) return [];
  return [
    manifest.finding(scriptLookupRules['kruise-class-type-mismatch'], {
      message: `the Ingress "${ingress.name}" has the class "${className}", but its script is for "${classType}"${ingress.classType === '' ? ', because classType is not set' : ''}`,
      path: ingress.classType === '' ? ingress.path : [...ingress.path, 'classType'],
      fix: `write classType: ${fitting[0]}${className === 'alb' ? ' (AWS) or aliyun-alb (Alibaba Cloud)' : ''}`,
    }),
  ];
}
