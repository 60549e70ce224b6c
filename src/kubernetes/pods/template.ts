import type { Json, JsonObject } from '../../core/json';
import { asList, asObject, asText, isSet, numberOf } from '../../core/json';
import type { Path } from '../../core/path';
import { labelsProblems, type PartProblem } from '../labels';
import { containersProblems } from './containers';
import { isDnsLabel, isSubdomain, notSupported, podProblem } from './problem';

/**
 * Kubernetes' checks of the pod template of a ReplicaSet. They cover metadata, names, required fields, containers with
 * their ports, variables, probes, mounts and resources, volumes, policies and scheduling. Volume sources are checked only
 * for their required names. Rules for a single operating system are not covered.
 */
export function podTemplateProblems(template: JsonObject, path: Path): PartProblem[] {
  return [...podProblems(template, path), ...replicaSetProblems(asObject(template.spec), [...path, 'spec'])];
}

/** The same of pods that are in no ReplicaSet: a Pod itself, and those of Jobs. */
export function podProblems(template: JsonObject, path: Path): PartProblem[] {
  const metadata = asObject(template.metadata);
  const spec = asObject(template.spec);
  const at = [...path, 'spec'];
  return [
    ...labelsProblems('labels', metadata.labels, [...path, 'metadata', 'labels']),
    ...labelsProblems('annotations', metadata.annotations, [...path, 'metadata', 'annotations']),
    ...volumesProblems(asList(spec.volumes), [...at, 'volumes']),
    ...containersProblems(spec, at),
    ...notSupported(spec.restartPolicy, ['Always', 'Never', 'OnFailure'], [...at, 'restartPolicy']),
    ...dnsProblems(spec, at),
    ...labelsProblems('labels', spec.nodeSelector, [...at, 'nodeSelector']),
    ...userProblems(asObject(spec.securityContext), [...at, 'securityContext']),
    ...pullSecretProblems(asList(spec.imagePullSecrets), [...at, 'imagePullSecrets']),
    ...affinityProblems(asObject(spec.affinity), [...at, 'affinity']),
    ...nameProblems(spec, at),
    ...tolerationProblems(asList(spec.tolerations), [...at, 'tolerations']),
    ...spreadProblems(asList(spec.topologySpreadConstraints), [...at, 'topologySpreadConstraints']),
  ];
}

/** Kinds of volumes and the field that each must have. */
const SOURCES: Readonly<Record<string, string>> = {
  secret: 'secretName',
  configMap: 'name',
  persistentVolumeClaim: 'claimName',
  hostPath: 'path',
  csi: 'driver',
};

function volumesProblems(volumes: readonly Json[], path: Path): PartProblem[] {
  const names = volumes.map((volume) => asText(asObject(volume).name));
  return volumes.flatMap((one, index) => {
    const volume = asObject(one);
    const at = [...path, index];
    const name = names[index]!;
    const sources = Object.keys(volume).filter((key) => key !== 'name' && isSet(volume[key]));
    return [
      ...(name === '' ? [podProblem([...at, 'name'], '')] : []),
      ...(name !== '' && !isDnsLabel(name)
        ? [podProblem([...at, 'name'], 'a lowercase RFC 1123 label', `"${name}" is not a DNS label`)]
        : []),
      ...(name !== '' && names.indexOf(name) < index
        ? [podProblem([...at, 'name'], '', `the volume "${name}" occurs twice`)]
        : []),
      ...(sources.length > 1
        ? [
            podProblem(
              [...at, sources[1]!],
              'may not specify more than 1 volume type',
              `is set in addition to ${sources[0]}`,
            ),
          ]
        : sources.flatMap((source) => {
            const field = SOURCES[source];
            const isThere = field === undefined || asText(asObject(volume[source])[field]) !== '';
            return isThere ? [] : [podProblem([...at, source, field], '')];
          })),
    ];
  });
}

function dnsProblems(spec: JsonObject, path: Path): PartProblem[] {
  const known = ['ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None'];
  const isMissing = spec.dnsPolicy === 'None' && asList(asObject(spec.dnsConfig).nameservers).length === 0;
  const text = 'is empty, but dnsPolicy None needs a name server';
  return [
    ...notSupported(spec.dnsPolicy, known, [...path, 'dnsPolicy']),
    ...(isMissing
      ? [podProblem([...path, 'dnsConfig', 'nameservers'], 'must provide at least one DNS nameserver', text)]
      : []),
  ];
}

function userProblems(context: JsonObject, path: Path): PartProblem[] {
  return ['runAsUser', 'runAsGroup', 'fsGroup'].flatMap((name) => {
    const id = numberOf(context[name]) ?? 0;
    const message = 'must be between 0 and 2147483647, inclusive';
    return id >= 0 && id <= 2 ** 31 - 1 ? [] : [podProblem([...path, name], message, `${id} ${message}`)];
  });
}

function pullSecretProblems(secrets: readonly Json[], path: Path): PartProblem[] {
  return secrets.flatMap((secret, index) =>
    asText(asObject(secret).name) === '' ? [podProblem([...path, index, 'name'], '')] : [],
  );
}

const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';
const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';

function affinityProblems(affinity: JsonObject, path: Path): PartProblem[] {
  return ['nodeAffinity', 'podAffinity', 'podAntiAffinity'].flatMap((kind) => {
    const part = asObject(affinity[kind]);
    const at = [...path, kind];
    const isOfPods = kind !== 'nodeAffinity';
    const terms = asList(part[PREFERRED]).map((one, index) => ({ one: asObject(one), at: [...at, PREFERRED, index] }));
    const weights = terms.flatMap(({ one, at: place }) => {
      const weight = numberOf(one.weight) ?? 0;
      const message = 'must be in the range 1-100';
      return weight >= 1 && weight <= 100 ? [] : [podProblem([...place, 'weight'], message, `${weight} ${message}`)];
    });
    const podTerms = isOfPods
      ? [
          ...asList(part[REQUIRED]).map((one, index) => ({ term: asObject(one), at: [...at, REQUIRED, index] })),
          ...terms.map(({ one, at: place }) => ({
            term: asObject(one.podAffinityTerm),
            at: [...place, 'podAffinityTerm'],
          })),
        ]
      : [];
    const topologies = podTerms.flatMap(({ term, at: place }) =>
      asText(term.topologyKey) === '' ? [podProblem([...place, 'topologyKey'], 'can not be empty', 'is empty')] : [],
    );
    const nodeTerms = asObject(part[REQUIRED]).nodeSelectorTerms;
    const isEmpty = !isOfPods && isSet(part[REQUIRED]) && asList(nodeTerms).length === 0;
    const message = 'must have at least one node selector term';
    return [
      ...(isEmpty ? [podProblem([...at, REQUIRED, 'nodeSelectorTerms'], message)] : []),
      ...topologies,
      ...weights,
    ];
  });
}

function nameProblems(spec: JsonObject, path: Path): PartProblem[] {
  const subdomains = ['serviceAccountName', 'nodeName', 'runtimeClassName', 'priorityClassName'];
  const check = (name: string, isName: (text: string) => boolean) => {
    const text = asText(spec[name]);
    return text === '' || isName(text)
      ? []
      : [podProblem([...path, name], 'a lowercase RFC 1123 name', `"${text}" is not a DNS name`)];
  };
  return [
    ...subdomains.flatMap((name) => check(name, isSubdomain)),
    ...['hostname', 'subdomain'].flatMap((name) => check(name, isDnsLabel)),
  ];
}

function tolerationProblems(tolerations: readonly Json[], path: Path): PartProblem[] {
  return tolerations.flatMap((one, index) => {
    const { key, operator, value, effect, tolerationSeconds } = asObject(one);
    const at = [...path, index];
    const exists = operator === 'Exists';
    return [
      ...notSupported(operator, ['Equal', 'Exists'], [...at, 'operator']),
      ...notSupported(effect, ['NoExecute', 'NoSchedule', 'PreferNoSchedule'], [...at, 'effect']),
      ...(asText(key) === '' && !exists
        ? [podProblem([...at, 'operator'], 'operator must be Exists when `key` is empty')]
        : []),
      ...(exists && asText(value) !== ''
        ? [podProblem([...at, 'operator'], "value must be empty when `operator` is 'Exists'")]
        : []),
      ...(isSet(tolerationSeconds) && effect !== 'NoExecute'
        ? [podProblem([...at, 'effect'], "effect must be 'NoExecute' when `tolerationSeconds` is set")]
        : []),
    ];
  });
}

function spreadProblems(constraints: readonly Json[], path: Path): PartProblem[] {
  return constraints.flatMap((one, index) => {
    const { maxSkew, topologyKey, whenUnsatisfiable } = asObject(one);
    const at = [...path, index];
    return [
      ...((numberOf(maxSkew) ?? 0) > 0 ? [] : [podProblem([...at, 'maxSkew'], 'must be greater than zero')]),
      ...(asText(topologyKey) === '' ? [podProblem([...at, 'topologyKey'], 'can not be empty')] : []),
      ...(asText(whenUnsatisfiable) === ''
        ? [podProblem([...at, 'whenUnsatisfiable'], 'supported values: "DoNotSchedule", "ScheduleAnyway"')]
        : notSupported(whenUnsatisfiable, ['DoNotSchedule', 'ScheduleAnyway'], [...at, 'whenUnsatisfiable'])),
    ];
  });
}

/** Fields that are valid for pods, but not for pods of a ReplicaSet. */
function replicaSetProblems(spec: JsonObject, path: Path): PartProblem[] {
  const policy = asText(spec.restartPolicy);
  return [
    ...(asList(spec.ephemeralContainers).length > 0
      ? [podProblem([...path, 'ephemeralContainers'], 'ephemeral containers not allowed in pod template')]
      : []),
    ...(policy === '' || policy === 'Always'
      ? []
      : [podProblem([...path, 'restartPolicy'], 'supported values: "Always"', `"${policy}" is not Always`)]),
    ...(isSet(spec.activeDeadlineSeconds)
      ? [podProblem([...path, 'activeDeadlineSeconds'], 'activeDeadlineSeconds in ReplicaSet is not Supported')]
      : []),
  ];
}
