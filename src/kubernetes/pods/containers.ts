import type { Json, JsonObject } from '../../core/json';
import { asList, asObject, asText, isSet, numberOf } from '../../core/json';
import type { Path } from '../../core/path';
import type { PartProblem } from '../labels';
import { parseQuantity } from '../quantity';
import { splitSubscript } from './field-path';
import { isDnsLabel, notSupported, podProblem } from './problem';

const PORT_MESSAGE = 'must be between 1 and 65535, inclusive';

/** Kubernetes' checks of the containers of a pod. */
export function containersProblems(spec: JsonObject, path: Path): PartProblem[] {
  const containers = asList(spec.containers).map(asObject);
  const initial = asList(spec.initContainers).map(asObject);
  const pod = { spec, volumes: volumeNames(spec) };
  const names = [...containers, ...initial].map(({ name }) => asText(name));
  if (containers.length === 0) return [podProblem([...path, 'containers'], '', 'has no containers')];
  return [
    ...containers.flatMap((container, index) => {
      const at = [...path, 'containers', index];
      const isTwice = names.indexOf(asText(container.name)) < index;
      return [...commonProblems(container, pod, at), ...hookProblems(container, at), ...twice(isTwice, container, at)];
    }),
    ...initial.flatMap((container, index) => {
      const at = [...path, 'initContainers', index];
      const isTwice = names.indexOf(asText(container.name)) < containers.length + index;
      const isSidecar = container.restartPolicy === 'Always';
      const hooks = isSidecar ? hookProblems(container, at) : forbiddenHooks(container, at);
      return [...commonProblems(container, pod, at), ...hooks, ...twice(isTwice, container, at)];
    }),
  ];
}

interface Pod {
  readonly spec: JsonObject;
  readonly volumes: ReadonlySet<string>;
}

function twice(isTwice: boolean, { name }: JsonObject, path: Path): PartProblem[] {
  return isTwice && asText(name) !== ''
    ? [podProblem([...path, 'name'], '', `the container "${asText(name)}" occurs twice`)]
    : [];
}

function commonProblems(container: JsonObject, pod: Pod, path: Path): PartProblem[] {
  const name = asText(container.name);
  return [
    ...(name === '' ? [podProblem([...path, 'name'], '')] : []),
    ...(name !== '' && !isDnsLabel(name)
      ? [podProblem([...path, 'name'], 'a lowercase RFC 1123 label', `"${name}" is not a DNS label`)]
      : []),
    ...(asText(container.image) === '' ? [podProblem([...path, 'image'], '')] : []),
    ...notSupported(
      container.terminationMessagePolicy,
      ['FallbackToLogsOnError', 'File'],
      [...path, 'terminationMessagePolicy'],
    ),
    ...portsProblems(asList(container.ports), pod.spec.hostNetwork === true, [...path, 'ports']),
    ...envProblems(asList(container.env), [...path, 'env']),
    ...mountProblems(container, pod.volumes, [...path, 'volumeMounts']),
    ...notSupported(container.imagePullPolicy, ['Always', 'IfNotPresent', 'Never'], [...path, 'imagePullPolicy']),
    ...resourceProblems(asObject(container.resources), [...path, 'resources']),
  ];
}

function portsProblems(ports: readonly Json[], hostNetwork: boolean, path: Path): PartProblem[] {
  const names = ports.map((port) => asText(asObject(port).name));
  return ports.flatMap((one, index) => {
    const { containerPort, hostPort, name, protocol } = asObject(one);
    const at = [...path, index];
    const port = numberOf(containerPort) ?? 0;
    const host = numberOf(hostPort) ?? 0;
    const text = asText(name);
    return [
      ...(text !== '' && !isPortName(text)
        ? [podProblem([...at, 'name'], 'must be an IANA_SVC_NAME', `"${text}" is not a valid port name`)]
        : []),
      ...(text !== '' && names.indexOf(text) < index
        ? [podProblem([...at, 'name'], '', `the port "${text}" occurs twice`)]
        : []),
      ...(port === 0
        ? [podProblem([...at, 'containerPort'], '')]
        : isPort(port)
          ? []
          : [podProblem([...at, 'containerPort'], PORT_MESSAGE, `${port} ${PORT_MESSAGE}`)]),
      ...(host === 0 || isPort(host) ? [] : [podProblem([...at, 'hostPort'], PORT_MESSAGE, `${host} ${PORT_MESSAGE}`)]),
      ...(hostNetwork && host !== 0 && host !== port
        ? [podProblem([...at, 'hostPort'], 'must match `containerPort` when `hostNetwork` is true')]
        : []),
      ...notSupported(protocol, ['SCTP', 'TCP', 'UDP'], [...at, 'protocol']),
    ];
  });
}

function isPort(port: number): boolean {
  return port >= 1 && port <= 65535;
}

function isPortName(name: string): boolean {
  return name.length <= 15 && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) && /[a-z]/.test(name);
}

const ENV_SOURCES = ['configMapKeyRef', 'fieldRef', 'fileKeyRef', 'resourceFieldRef', 'secretKeyRef'];
const POD_FIELDS = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];

function envProblems(env: readonly Json[], path: Path): PartProblem[] {
  return env.flatMap((one, index) => {
    const { name, value, valueFrom } = asObject(one);
    const at = [...path, index];
    const named = asText(name);
    const isName = /^[\x20-\x3c\x3e-\x7e]+$/.test(named);
    return [
      ...(named === '' ? [podProblem([...at, 'name'], '')] : []),
      ...(named !== '' && !isName
        ? [podProblem([...at, 'name'], 'must consist of printable ASCII except =', `"${named}" is not a valid name`)]
        : []),
      ...(isSet(valueFrom) ? sourceProblems(asObject(valueFrom), asText(value), [...at, 'valueFrom']) : []),
    ];
  });
}

function sourceProblems(from: JsonObject, value: string, path: Path): PartProblem[] {
  const sources = ENV_SOURCES.filter((name) => isSet(from[name]));
  if (sources.length === 0) {
    return [
      podProblem(path, 'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`'),
    ];
  }
  const field = asText(asObject(from.fieldRef).fieldPath);
  return [
    ...(value === '' ? [] : [podProblem(path, 'may not be specified when `value` is not empty')]),
    ...(sources.length > 1 ? [podProblem(path, 'may not have more than one field specified at a time')] : []),
    ...(isSet(from.fieldRef) && !isPodField(field)
      ? [podProblem([...path, 'fieldRef', 'fieldPath'], '', `"${field}" is not a pod field that a fieldRef supports`)]
      : []),
    ...['configMapKeyRef', 'secretKeyRef']
      .filter((name) => isSet(from[name]))
      .flatMap((name) => (asText(asObject(from[name]).key) === '' ? [podProblem([...path, name, 'key'], '')] : [])),
  ];
}

function isPodField(path: string): boolean {
  const { base, key } = splitSubscript(path);
  if (key !== undefined) return base === 'metadata.labels' || base === 'metadata.annotations';
  return POD_FIELDS.includes(path);
}

function mountProblems(
  { volumeMounts, securityContext }: JsonObject,
  volumes: ReadonlySet<string>,
  path: Path,
): PartProblem[] {
  const mounts = asList(volumeMounts);
  const isPrivileged = asObject(securityContext).privileged === true;
  const paths = mounts.map((mount) => asText(asObject(mount).mountPath));
  return mounts.flatMap((one, index) => {
    const { name, mountPath, mountPropagation, subPath } = asObject(one);
    const at = [...path, index];
    const volume = asText(name);
    const parts = asText(subPath).split('/');
    return [
      ...(volume === '' ? [podProblem([...at, 'name'], '')] : []),
      ...(volume !== '' && !volumes.has(volume)
        ? [podProblem([...at, 'name'], '', `the pod has no volume "${volume}"`)]
        : []),
      ...(asText(mountPath) === '' ? [podProblem([...at, 'mountPath'], '')] : []),
      ...(asText(mountPath) !== '' && paths.indexOf(asText(mountPath)) < index
        ? [podProblem([...at, 'mountPath'], 'must be unique')]
        : []),
      ...(asText(subPath).startsWith('/') ? [podProblem([...at, 'subPath'], 'must be a relative path')] : []),
      ...(parts.includes('..') ? [podProblem([...at, 'subPath'], "must not contain '..'")] : []),
      ...notSupported(mountPropagation, ['Bidirectional', 'HostToContainer', 'None'], [...at, 'mountPropagation']),
      ...(mountPropagation === 'Bidirectional' && !isPrivileged
        ? [
            podProblem(
              [...at, 'mountPropagation'],
              'Bidirectional mount propagation is available only to privileged containers',
            ),
          ]
        : []),
    ];
  });
}

function resourceProblems({ limits, requests }: JsonObject, path: Path): PartProblem[] {
  const amounts = (of: Json | undefined, kind: string) =>
    Object.entries(asObject(of)).flatMap(([name, value]) => {
      const at = [...path, kind, name];
      const isNamed = ['cpu', 'memory', 'ephemeral-storage'].includes(name) || /^hugepages-|\//.test(name);
      return [
        ...(isNamed ? [] : [podProblem(at, 'must be a standard resource for containers')]),
        ...((parseQuantity(value) ?? 0) < 0 ? [podProblem(at, 'must be greater than or equal to 0')] : []),
      ];
    });
  const tooMuch = Object.entries(asObject(requests)).flatMap(([name, value]) => {
    const limit = parseQuantity(asObject(limits)[name]);
    if (limit === undefined || (parseQuantity(value) ?? 0) <= limit) return [];
    const text = `${asText(value) || String(value)} is more than the limit`;
    return [podProblem([...path, 'requests'], `must be less than or equal to ${name} limit of ${limit}`, text)];
  });
  return [...amounts(limits, 'limits'), ...amounts(requests, 'requests'), ...tooMuch];
}

const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const;
const HANDLERS = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'];

function hookProblems(container: JsonObject, path: Path): PartProblem[] {
  const lifecycle = asObject(container.lifecycle);
  return [
    ...['postStart', 'preStop']
      .filter((name) => isSet(lifecycle[name]))
      .flatMap((name) => handlerProblems(asObject(lifecycle[name]), [...path, 'lifecycle', name])),
    ...PROBES.filter((name) => isSet(container[name])).flatMap((name) =>
      probeProblems(asObject(container[name]), name, [...path, name]),
    ),
  ];
}

function forbiddenHooks(container: JsonObject, path: Path): PartProblem[] {
  return ['lifecycle', ...PROBES]
    .filter((name) => isSet(container[name]))
    .map((name) => podProblem([...path, name], 'may not be set for init containers without restartPolicy=Always'));
}

function handlerProblems(handler: JsonObject, path: Path): PartProblem[] {
  const set = HANDLERS.filter((name) => isSet(handler[name]));
  if (set.length === 0) return [podProblem(path, 'must specify a handler type')];
  const [first, ...more] = set;
  const port = asObject(handler[first!]).port;
  const needsPort = first === 'httpGet' || first === 'tcpSocket' || first === 'grpc';
  const isValid = typeof port === 'string' ? isPortName(port) : isPort(numberOf(port) ?? 0);
  return [
    ...more.map((name) => podProblem([...path, name], 'may not specify more than 1 handler type')),
    ...(needsPort && !isValid ? [podProblem([...path, first, 'port'], PORT_MESSAGE, 'is not a valid port')] : []),
    ...(first === 'exec' && asList(asObject(handler.exec).command).length === 0
      ? [podProblem([...path, 'exec', 'command'], '')]
      : []),
    ...notSupported(asObject(handler.httpGet).scheme, ['HTTP', 'HTTPS'], [...path, 'httpGet', 'scheme']),
  ];
}

const SECONDS = ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'];

function probeProblems(probe: JsonObject, name: (typeof PROBES)[number], path: Path): PartProblem[] {
  const successes = numberOf(probe.successThreshold) ?? 0;
  const grace = numberOf(probe.terminationGracePeriodSeconds);
  const isReadiness = name === 'readinessProbe';
  return [
    ...handlerProblems(probe, path),
    ...SECONDS.filter((field) => (numberOf(probe[field]) ?? 0) < 0).map((field) =>
      podProblem([...path, field], 'must be greater than or equal to 0'),
    ),
    ...(grace !== undefined && (isReadiness || grace <= 0)
      ? [
          podProblem(
            [...path, 'terminationGracePeriodSeconds'],
            isReadiness ? 'must not be set for readinessProbes' : 'must be greater than 0',
          ),
        ]
      : []),
    // 0 is omitted and gets the default.
    ...(!isReadiness && successes !== 0 && successes !== 1
      ? [podProblem([...path, 'successThreshold'], 'must be 1')]
      : []),
  ];
}

/** The names of the volumes of a pod. */
function volumeNames(spec: JsonObject): ReadonlySet<string> {
  return new Set(asList(spec.volumes).map((volume) => asText(asObject(volume).name)));
}
