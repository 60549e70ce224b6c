import { didYouMean } from '../core/did-you-mean';
import type { Finding } from '../core/finding';
import { groupOf, type Manifest } from '../core/manifest';
import type { Path } from '../core/path';
import { defineRules } from '../core/rule';
import type { World } from '../core/world';
import { KNOWN_GROUPS, type KnownGroup } from './known-apis';

const rollout = (apiVersion: string) =>
  ({
    language: 'yaml',
    text: `apiVersion: ${apiVersion}\nkind: Rollout\nmetadata:\n  name: web\nspec:\n  workloadRef: {apiVersion: apps/v1, kind: Deployment, name: web}\n  strategy:\n    canary:\n      steps: [{replicas: 20%}]\n`,
  }) as const;

/** Rules for names of APIs. */
export const apiNameRules = defineRules({
  'api-not-served': {
    severity: 'error',
    title: 'no API has this apiVersion and kind',
    because:
      'the API server answers "no matches for kind", and nothing of the object comes into the cluster; here it is neither ' +
      'checked nor rehearsed',
    fix: 'correct apiVersion and kind',
    basis: 'run',
    sources: ['https://kubernetes.io/docs/reference/using-api/#api-groups'],
    failing: rollout('rollout.kruise.io/v1beta1'),
    corrected: rollout('rollouts.kruise.io/v1beta1'),
  },
});

/**
 * Finds objects whose apiVersion or kind no API can have, or that are nearly the name of an API that this library knows.
 * What is merely unknown is not reported: the cluster may have it.
 */
export function checkApiNames(world: World): Finding[] {
  return world.manifests.flatMap((manifest) => {
    const meant = meantApis(manifest);
    return meant.length === 0 && isPossible(manifest) ? [] : [notServed(manifest, meant)];
  });
}

/** Whether any API can have this apiVersion and kind: group and version are in lower case, and none has a space. */
function isPossible({ apiVersion, kind }: Manifest): boolean {
  return !/[^a-z0-9./-]/.test(apiVersion) && !/[^A-Za-z0-9-]/.test(kind);
}

/** An API that people may have meant. */
interface Api {
  readonly apiVersion: string;
  readonly kind: string;
}

function notServed(manifest: Manifest, meant: readonly Api[]): Finding {
  const { apiVersion, kind } = manifest;
  const isKind = meant.length === 0 ? /[^A-Za-z0-9-]/.test(kind) : meant.every((api) => api.apiVersion === apiVersion);
  const path: Path = [isKind ? 'kind' : 'apiVersion'];
  const names = meant.map((api) =>
    api.kind === kind
      ? `apiVersion: ${api.apiVersion}`
      : isKind
        ? `kind: ${api.kind}`
        : `apiVersion: ${api.apiVersion}, kind: ${api.kind}`,
  );
  return manifest.finding(apiNameRules['api-not-served'], {
    path,
    message: `no API has the kind ${JSON.stringify(kind)} in ${JSON.stringify(apiVersion)}`,
    ...(names.length > 0 && { fix: `write ${names.join(' or ')}` }),
  });
}

function meantApis({ apiVersion, kind }: Manifest): Api[] {
  const group = groupOf(apiVersion);
  const version = group === '' ? apiVersion : apiVersion.slice(group.length + 1);
  const known = KNOWN_GROUPS.find((one) => one.group === group);
  if (known === undefined || (group === '' && version !== 'v1')) return otherGroup(apiVersion, kind);
  const { kinds, others, checkedFor } = known;
  const versions = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  if (checkedFor === 'everything' || versions?.includes(version) || others?.includes(kind)) return [];
  if (versions === undefined) return otherKind(known, version, kind);
  return checkedFor === 'versions' ? [] : apisOf(known, kind).slice(0, 1);
}

/** A kind in all its versions; none without a kind. */
function apisOf({ group, kinds }: KnownGroup, kind: string | undefined): Api[] {
  if (kind === undefined) return [];
  return kinds[kind]!.map((version) => ({ apiVersion: group === '' ? version : `${group}/${version}`, kind }));
}

/** The group is right, and the kind is none of it. */
function otherKind(known: KnownGroup, version: string, kind: string): Api[] {
  const near = nearKind(kind, Object.keys(known.kinds));
  if (near !== undefined) return apisOf(known, near).slice(0, 1);
  const inGroup = (one: KnownGroup) => inVersion(apisOf(one, nearKind(kind, Object.keys(one.kinds), 0)), version);
  const related = KNOWN_GROUPS.filter(({ group }) => hasSameOwner(known.group, group)).flatMap(inGroup);
  const elsewhere = related.length > 0 ? related : KNOWN_GROUPS.flatMap(inGroup);
  if (elsewhere.length > 0 || known.isWhole === undefined) return elsewhere;
  return Object.keys(known.kinds).flatMap((each) => apisOf(known, each).slice(0, 1));
}

/** The API of a kind in the version that was written, or else in the one to write first. */
function inVersion(apis: readonly Api[], version: string | undefined): Api[] {
  return [apis.find((api) => api.apiVersion.endsWith(`/${version}`)) ?? apis[0]].flatMap((api) => api ?? []);
}

/** The group is none that is known: what it resembles, if that has the kind. */
function otherGroup(apiVersion: string, kind: string): Api[] {
  return KNOWN_GROUPS.filter(({ group }) => resembles(apiVersion, group)).flatMap((one) => {
    // What has no domain may be for another program than the API server, unless it has the very kind.
    const isExact = !apiVersion.includes('.');
    const kinds = Object.keys(one.kinds).filter((each) => !isExact || each === kind);
    return inVersion(apisOf(one, nearKind(kind, kinds, 0)), apiVersion.trim().split('/').at(1));
  });
}

/** The kind that a word nearly is: in another case, in the plural, as a list, or misspelt by a letter or two. */
function nearKind(word: string, kinds: readonly string[], letters = 2): string | undefined {
  const plain = plainKind(word);
  const same = kinds.find((kind) => kind.toLowerCase() === plain || plainKind(kind) === plain);
  if (same !== undefined || letters === 0) return same;
  const near = didYouMean(
    word.toLowerCase(),
    kinds.map((kind) => kind.toLowerCase()),
    Math.min(letters, Math.floor(plain.length / 4)),
  );
  return kinds.find((kind) => kind.toLowerCase() === near);
}

function plainKind(word: string): string {
  return word.trim().toLowerCase().replace(/list$/, '').replace(/s$/, '');
}

/** Whether an apiVersion was meant to be one of a group, and can be no other. */
function resembles(apiVersion: string, group: string): boolean {
  const [word = '', ...rest] = apiVersion.trim().toLowerCase().split('/');
  if (word === group) return true;
  // Only `v1` has no group.
  if (rest.length === 0) return /^v\d/.test(word);
  if (group === '') return word === 'core';
  // A custom group has a dot, and Kubernetes' own groups without one are known.
  if (!word.includes('.') && word !== 'extensions') return true;
  if (word.endsWith('x-k8s.io')) return false;
  return isPart(word, group) || hasSameOwner(word, group) || isVariant(word, group) || isMisspelt(word, group);
}

/** `kruise.io` of `rollouts.kruise.io`. */
function isPart(word: string, group: string): boolean {
  return group.startsWith(`${word}.`) || group.endsWith(`.${word}`);
}

/** `apps.kruise.io` and `rollouts.kruise.io`, `apps.networking.k8s.io` and `gateway.networking.k8s.io`. */
function hasSameOwner(word: string, group: string): boolean {
  const length = group.endsWith('.k8s.io') ? 3 : 2;
  const [one, other] = [word, group].map((each) => each.split('.').slice(-length).join('.'));
  return group.split('.').length > length && one === other;
}

/** `rollouts.openkruise.io` of `rollouts.kruise.io`, `argo.io` and `argoproj.dev` of `argoproj.io`. */
function isVariant(word: string, group: string): boolean {
  const labels = word.split('.');
  const others = group.split('.');
  const differing = labels.flatMap((label, index) => (label === others[index] ? [] : [index]));
  if (labels.length !== others.length || labels.length < 2 || differing.length !== 1) return false;
  const [index] = differing as [number];
  const [label, other] = [labels[index]!, others[index]!];
  if (index === labels.length - 1) return true;
  return (
    Math.min(label.length, other.length) > 3 && (other.includes(label) || (labels.length > 2 && label.includes(other)))
  );
}

function isMisspelt(word: string, group: string): boolean {
  return didYouMean(word, [group], Math.min(2, Math.floor(group.length / 4))) !== undefined;
}
