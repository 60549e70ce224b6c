/** Who reads the metrics of a controller that serves them to nobody; two installs; and ConfigMaps that no controller reads. */
import { describe, expect, it } from 'vitest';
import { collectFindings, Manifest, World } from '../../../src/core';
import {
  checkKruiseInstall,
  type installRules,
  type KruiseInstallCheckOptions,
} from '../../../src/kruise/install/check';
import { controllersOf, selects } from '../../../src/kruise/install/check/controllers';
import { KruiseRolloutVersion } from '../../../src/kruise/version';

const M = 'kruise-rollout-controller-manager';
const PODS = { 'control-plane': M };

interface Controller {
  readonly name?: string;
  readonly namespace?: string;
  readonly image?: string;
  readonly args?: readonly string[];
  readonly ports?: readonly object[];
  readonly annotations?: object;
  readonly env?: readonly object[];
}

const OWN_NAMESPACE = { name: 'POD_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } };

const controller = (options: Controller = {}) => {
  const { name = M, namespace = 'kruise-rollout', image = 'openkruise/kruise-rollout:v0.6.2', annotations } = options;
  const { args = ['--metrics-bind-address=127.0.0.1:8080'], ports = [], env = [OWN_NAMESPACE] } = options;
  const metadata = { labels: PODS, ...(annotations === undefined ? {} : { annotations }) };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace },
    spec: { template: { metadata, spec: { containers: [{ name: 'manager', image, args, ports, env }] } } },
  };
};
const worldOf = (...objects: readonly object[]) => World.of(objects.map((each) => Manifest.of(each)));
const ofRule = (rule: keyof typeof installRules, objects: readonly object[], options?: KruiseInstallCheckOptions) =>
  collectFindings(checkKruiseInstall(worldOf(...objects), options)).filter((finding) => finding.rule === rule);

describe('the metrics', () => {
  const readers = (...objects: readonly object[]) =>
    ofRule('kruise-metrics-unreachable', objects).map(({ message, path }) => `${message} @ ${path}`);
  const service = (ports: readonly object[], selector: object = PODS, namespace = 'kruise-rollout') => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'm', namespace },
    spec: { selector, ports },
  });
  const ONLY = `Service "m" is for metrics, but ${M} serves metrics at 127.0.0.1:8080 only @ spec.ports`;

  it.each<[what: string, ports: readonly object[], found: readonly string[]]>([
    ['the port', [{ port: 8080 }], [`${ONLY}[0]`]],
    ['the target port', [{ port: 80, targetPort: 8080 }], [`${ONLY}[0]`]],
    ['another target port', [{ port: 8080, targetPort: 80 }], []],
    ['the name of the port of the container', [{ port: 80, targetPort: 'web' }], [`${ONLY}[0]`]],
    ['the name of another port', [{ port: 80, targetPort: 'hooks' }], []],
    ['a name of the port', [{ name: 'metrics', port: 80 }], [`${ONLY}[0]`]],
    ['another name of the port', [{ name: 'http-metrics', port: 80 }], [`${ONLY}[0]`]],
    ['a third name of the port', [{ name: 'httpmetrics', port: 80 }], [`${ONLY}[0]`]],
    ['a longer name', [{ name: 'metrics-2', port: 80 }], []],
    ['a name that ends so', [{ name: 'my-metrics', port: 80 }], []],
    ['the second port', [{ port: 80 }, { port: 8080 }], [`${ONLY}[1]`]],
    ['two ports', [{ port: 8080 }, { name: 'metrics', port: 81 }], [`${ONLY}[0]`, `${ONLY}[1]`]],
    ['no port', [], []],
  ])('are read by a Service with %s', (_, ports, found) => {
    const named = [
      { name: 'web', containerPort: 8080 },
      { name: 'hooks', containerPort: 9876 },
    ];
    expect(readers(controller({ ports: named }), service(ports))).toEqual(found);
  });

  it('are not read by Services of other pods and namespaces', () => {
    expect(readers(controller(), service([{ port: 8080 }], { app: 'a' }))).toEqual([]);
    expect(readers(controller(), service([{ port: 8080 }], PODS, 'shop'))).toEqual([]);
  });

  it.each<[address: string | undefined, where: string | undefined]>([
    ['127.0.0.1:8080', 'serves metrics at 127.0.0.1:8080 only'],
    ['127.1.2.3:9090', 'serves metrics at 127.1.2.3:9090 only'],
    ['localhost:8080', 'serves metrics at localhost:8080 only'],
    ['[::1]:8080', 'serves metrics at [::1]:8080 only'],
    ['0', 'serves no metrics'],
    ['0.0.0.0:8080', undefined],
    ['10.127.0.1:8080', undefined],
    ['localhost.example:8080', undefined],
    ['my-localhost:8080', undefined],
    ['[::11]:8080', undefined],
    [':8080', undefined],
    [undefined, undefined],
  ])('at the address %s: %s', (address, where) => {
    const args = address === undefined ? [] : [`--metrics-bind-address=${address}`];
    expect(readers(controller({ args }), service([{ name: 'metrics', port: 80 }]))).toEqual(
      where === undefined ? [] : [`Service "m" is for metrics, but ${M} ${where} @ spec.ports[0]`],
    );
  });

  it('are read by the annotation that asks for it', () => {
    const at = 'spec.template.metadata.annotations["prometheus.io/scrape"]';
    const asking = (value: unknown) => readers(controller({ annotations: { 'prometheus.io/scrape': value } }));
    expect(asking('true')).toEqual([
      `Deployment "${M}" is for metrics, but ${M} serves metrics at 127.0.0.1:8080 only @ ${at}`,
    ]);
    expect(asking('false')).toEqual([]);
    expect(asking(true)).toEqual([]);
  });

  const monitor = (spec: object, namespace = 'monitoring') => ({
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PodMonitor',
    metadata: { name: 'p', namespace },
    spec: { selector: { matchLabels: PODS }, ...spec },
  });
  it.each<[what: string, monitor: object, reads: boolean]>([
    ['of the same namespace', monitor({}, 'kruise-rollout'), true],
    ['of another namespace', monitor({}), false],
    ['of any namespace', monitor({ namespaceSelector: { any: true } }), true],
    ['of no namespace', monitor({ namespaceSelector: {} }, 'kruise-rollout'), false],
    ['of this namespace by name', monitor({ namespaceSelector: { matchNames: ['a', 'kruise-rollout'] } }), true],
    ['of another namespace by name', monitor({ namespaceSelector: { matchNames: ['a'] } }), false],
    ['of other pods', monitor({ namespaceSelector: { any: true }, selector: { matchLabels: { app: 'a' } } }), false],
    ['of all pods, which counts as none here', monitor({ namespaceSelector: { any: true }, selector: {} }), false],
  ])('are read by a PodMonitor %s: %s', (_, reader, reads) => {
    expect(readers(controller(), reader)).toEqual(
      reads ? [`PodMonitor "p" is for metrics, but ${M} serves metrics at 127.0.0.1:8080 only @ spec.selector`] : [],
    );
  });

  it('name the place of the address', () => {
    const [found] = ofRule('kruise-metrics-unreachable', [controller(), service([{ port: 8080 }])]);
    expect(found!.related).toStrictEqual({
      message: 'the metrics address is set here',
      object: expect.objectContaining({ kind: 'Deployment', name: M }),
    });
  });
});

describe('two installs', () => {
  it('are one too many, and the second one has the finding', () => {
    const found = ofRule('kruise-install-duplicate', [
      controller({ namespace: 'b' }),
      controller({ namespace: 'a' }),
      controller({ namespace: 'c' }),
    ]);
    expect(found.map(({ message, object }) => [object?.namespace, message])).toEqual([
      ['b', 'the controller is installed both in the namespace "b" and in "a"'],
      ['c', 'the controller is installed both in the namespace "c" and in "a"'],
    ]);
    expect(found[0]!.related).toStrictEqual({
      message: `the other ${M} is declared here`,
      object: expect.objectContaining({ namespace: 'a', name: M }),
    });
    expect(ofRule('kruise-install-duplicate', [controller()])).toEqual([]);
  });
});

describe('a controller', () => {
  it.each<[name: string, image: string, isOne: boolean]>([
    [M, 'example.com/other:1', true],
    ['own', 'openkruise/kruise-rollout:v0.6.2', true],
    ['own', 'kruise-rollout', true],
    ['own', 'registry:5000/mirror/kruise-rollout', true],
    ['own', 'registry:5000/mirror/kruise-rollout:v1@sha256:abc', true],
    ['own', 'openkruise/kruise-rollout@sha256:abc', true],
    ['own', 'openkruise/kruise-rollouts:v0.6.2', false],
    ['own', 'my-kruise-rollout', false],
    ['own', 'kruise-rollout/other', false],
    ['own', '', false],
  ])('is one by the name %s or the image %s: %s', (name, image, isOne) => {
    expect(controllersOf(worldOf(controller({ name, image })))).toHaveLength(isOne ? 1 : 0);
  });

  it('is read as its container is', () => {
    const args = [
      '--leader-elect',
      '--v',
      '4',
      '--x',
      '--y=a=b',
      'z',
      '-q',
      '--',
      '--9',
      '--metrics-bind-address',
      '0',
    ];
    const [{ manifest, container, version, ...rest }] = controllersOf(
      worldOf(controller({ args, env: [{ name: 'WEBHOOK_PORT', value: '1' }] })),
    ) as [ReturnType<typeof controllersOf>[number]];
    const path = ['spec', 'template', 'spec', 'containers', 0];
    const flag = (name: string, value: string, index: number) => ({ name, value, path: [...path, 'args', index] });
    expect([manifest.name, container.name, version]).toEqual([M, 'manager', KruiseRolloutVersion.V0_6_2]);
    expect(rest).toStrictEqual({
      namespace: 'kruise-rollout',
      podLabels: PODS,
      podAnnotations: {},
      replicas: 1,
      containerPath: path,
      serviceAccountName: 'default',
      flags: [
        flag('leader-elect', '', 0),
        flag('v', '4', 1),
        flag('x', '', 3),
        flag('y', 'a=b', 4),
        flag('q', '', 6),
        flag('metrics-bind-address', '0', 9),
      ],
      versionIsExact: true,
      ownNamespace: 'kruise-rollout',
      webhookPort: 1,
      webhookService: 'kruise-rollout-webhook-service',
      metrics: undefined,
    });
  });

  it('is the container with the image, behind others', () => {
    const { spec, ...rest } = controller();
    const [own] = spec.template.spec.containers;
    const containers = [{ name: 'proxy', image: 'envoy' }, own];
    const deployment = { ...rest, spec: { template: { ...spec.template, spec: { containers } } } };
    expect(controllersOf(worldOf(deployment))[0]!.containerPath.at(-1)).toBe(1);
  });

  it.each<[image: string, version: string, isExact: boolean]>([
    ['kruise-rollout:v0.5.0', '0.5.0', true],
    ['kruise-rollout:0.5.0', '0.5.0', true],
    ['kruise-rollout:v0.5.0@sha256:abc', '0.5.0', true],
    ['registry:5000/kruise-rollout', '0.6.2', false],
    ['kruise-rollout:latest', '0.6.2', false],
    ['kruise-rollout@sha256:abc', '0.6.2', false],
    ['kruise-rollout:v0.4.9', '0.4.4', false],
    ['kruise-rollout:v0.5.0-custom', '0.5.0', false],
  ])('with the image %s is the release %s, exactly: %s', (image, release, isExact) => {
    const [{ version, versionIsExact }] = controllersOf(worldOf(controller({ image }))) as [
      ReturnType<typeof controllersOf>[number],
    ];
    expect([version.version, versionIsExact]).toEqual([release, isExact]);
    const given = controllersOf(worldOf(controller({ image })), KruiseRolloutVersion.V0_3_0)[0]!;
    expect([given.version.version, given.versionIsExact]).toEqual(['0.3.0', true]);
  });

  it('is selected by labels that all match', () => {
    const labels = { a: '1', b: '2' };
    expect(selects({ a: '1' }, labels)).toBe(true);
    expect(selects({ a: '1', b: '2' }, labels)).toBe(true);
    expect(selects({ a: '1', b: '3' }, labels)).toBe(false);
    expect(selects({ c: '1' }, labels)).toBe(false);
    expect(selects({}, labels)).toBe(false);
    expect(selects(undefined, labels)).toBe(false);
    expect(selects(['a'], labels)).toBe(false);
  });
});

describe('a ConfigMap of routing scripts', () => {
  const map = (namespace?: string, name = 'kruise-rollout-configuration') => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
  });
  const lines = (objects: readonly object[], options?: KruiseInstallCheckOptions) =>
    ofRule('kruise-config-map-namespace', objects, options).map(({ severity, message, path, fix }) =>
      [severity, path, message, fix].join(' | '),
    );
  const misplaced = (severity: string, path: string, namespace: string, right: string) =>
    `${severity} | ${path} | the ConfigMap is in the namespace "${namespace}", but the controller looks in "${right}" | move it to the namespace "${right}"`;

  it('is where a controller looks', () => {
    expect(lines([controller(), map('kruise-rollout')])).toEqual([]);
    expect(lines([controller(), map('shop', 'other')])).toEqual([]);
    expect(lines([controller({ namespace: 'a' }), controller({ namespace: 'b' }), map('b')])).toEqual([]);
  });

  it('is misplaced elsewhere', () => {
    const certain = misplaced('error', 'metadata.namespace', 'shop', 'kruise-rollout');
    expect(lines([controller(), map('shop')])).toEqual([certain]);
    expect(lines([controller(), map()])).toEqual([misplaced('error', 'metadata', 'default', 'kruise-rollout')]);
  });

  it('may be misplaced where no controller is known', () => {
    const warning = `${misplaced('warning', 'metadata.namespace', 'shop', 'kruise-rollout')}, or set the controller's namespace`;
    expect(lines([map('shop')])).toEqual([warning]);
    expect(lines([map('shop')], { namespace: 'shop' })).toEqual([]);
    expect(lines([map('kruise-rollout')])).toEqual([]);
  });

  it('may be anywhere where the namespace of one controller is not known', () => {
    const unknown = { name: 'POD_NAMESPACE', valueFrom: { configMapKeyRef: { name: 'a', key: 'b' } } };
    expect(lines([controller({ env: [unknown] }), map('shop')])).toEqual([]);
    const both = [controller({ namespace: 'a', env: [unknown] }), controller({ namespace: 'b' })];
    expect(lines([...both, map('shop')])).toEqual([]);
  });
});
