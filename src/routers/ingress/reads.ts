import { type Json, type Manifest, ownValue } from '../../core';
import { jsonPointer } from '../../core/gitops';
import { LAST_APPLIED, type Place, placeAt, type RouteKind } from '../kinds';
import { ANY_HOST, exampleHost, type RequestCandidate, type RequestExtras } from '../request-candidates';
import { sampleOf, sampleOfGlob } from '../samples';
import { listOf, objectOf, textOf, valueIn } from '../values';
import { annotationKey } from './alb-annotations';
import { INGRESS } from './kinds';

/** What requests to a backend of an Ingress need, by the name of the backend's Service. */
export type BackendConditions = (manifest: Manifest, service: string) => RequestExtras | undefined;

/** Ingresses, as every controller reads them. */
export const INGRESS_READ: RouteKind = {
  ...INGRESS,
  hostsOf: ({ object }) =>
    listOf(valueIn(object, 'spec', 'rules')).map((rule) => textOf(ownValue(rule, 'host')) ?? '*'),
  placeOf,
  candidatesOf: (manifest) => ingressCandidates(manifest),
  rewrittenFields(manifest, service) {
    // A script changes the action of the Service and adds annotations next to it.
    const action = annotationKey(`actions.${service}`);
    const changed = manifest?.annotations[action] === undefined ? [] : [action];
    return [jsonPointer('metadata', 'annotations', ...changed), '/spec/rules'];
  },
};

/** With these annotations a path may be an expression, and the other paths of its host as well. */
const REWRITES = /\/(?:use-regex|full-path-regex|rewrite-target|app-root)$/;

/** The rules of an ALB have numbers and limits, so all of its Ingresses count. */
function placeOf({ object, annotations }: Manifest): Place | undefined {
  const { rules, ...besides } = objectOf(valueIn(object, 'spec')) ?? {};
  const said = Object.entries(annotations).filter(([key]) => key !== LAST_APPLIED);
  const isElsewhere = said.some(([key]) => key.startsWith(annotationKey('')) || REWRITES.test(key));
  if (isElsewhere || besides.defaultBackend !== undefined) return undefined;
  const paths = listOf(rules).flatMap((rule) => listOf(valueIn(rule, 'http', 'paths')));
  return placeAt(
    paths.map((path) => textOf(ownValue(path, 'path'))),
    [besides, said.sort()],
  );
}

/** The hosts and paths of an Ingress; a backend with conditions gets requests with and without them. */
export function ingressCandidates(manifest: Manifest, conditionsOf?: BackendConditions): RequestCandidate[] {
  const rules = listOf(valueIn(manifest.object, 'spec', 'rules')).flatMap((rule) => {
    const host = exampleHost(textOf(ownValue(rule, 'host')) ?? '*');
    return listOf(valueIn(rule, 'http', 'paths')).flatMap((item): RequestCandidate[] => {
      const plain = { host, paths: pathsOf(item) };
      const service = textOf(valueIn(item, 'backend', 'service', 'name')) ?? '';
      const extras = conditionsOf?.(manifest, service);
      return extras === undefined ? [plain] : [{ ...plain, extras }, plain];
    });
  });
  const hasDefault = valueIn(manifest.object, 'spec', 'defaultBackend') !== undefined;
  return hasDefault ? [...rules, { host: ANY_HOST, paths: ['/'] }] : rules;
}

/** The path of a rule and, for a prefix, a path below it. */
function pathsOf(item: Json): string[] {
  const path = textOf(ownValue(item, 'path')) ?? '/';
  const pathType = textOf(ownValue(item, 'pathType'));
  if (pathType === 'Exact') return [path];
  if (pathType === 'Prefix') return path === '/' ? ['/'] : [path, `${path.replace(/\/$/, '')}/rehearsal`];
  const isRegex = /[()[\]\\|^$+]/.test(path) || path.includes('.*');
  const sample = isRegex ? (sampleOf(path) ?? path) : sampleOfGlob(path);
  return [sample.startsWith('/') ? sample : `/${sample}`];
}
