/** The Services of a release: the copy for the canary, and the selectors that tell versions apart. */
import { describe, expect, it } from 'vitest';
import { canaryServiceOf, pinned, unpinned } from '../../../src/kruise/controller';

const OPTIONS = { name: 'web-canary', namespace: 'shop', revisionLabel: 'hash' };
const copyOf = (spec: unknown, options: object = {}, metadata: object = { name: 'web' }) =>
  canaryServiceOf({ metadata, spec }, { ...OPTIONS, ...options });
const specOf = (spec: object, options: object = {}) => {
  const made = copyOf(spec, options);
  return made.ok ? made.service.spec : made.error;
};

describe('the canary Service', () => {
  it('is a copy with a selector for the new pods', () => {
    expect(copyOf({ selector: { app: 'web' }, ports: [{ port: 80 }] })).toStrictEqual({
      ok: true,
      service: {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'web-canary', namespace: 'shop' },
        spec: { selector: { app: 'web', hash: 'canary' }, ports: [{ port: 80 }] },
      },
    });
  });

  it('has none of the addresses and node ports that the cluster assigns, and everything else', () => {
    const assigned = {
      clusterIP: '10.0.0.1',
      clusterIPs: ['10.0.0.1'],
      externalIPs: ['1.2.3.4'],
      ipFamilyPolicy: 'SingleStack',
      ipFamilies: ['IPv4'],
      loadBalancerIP: '1.2.3.4',
    };
    const kept = { type: 'LoadBalancer', sessionAffinity: 'ClientIP', externalTrafficPolicy: 'Local' };
    const ports = [
      { name: 'http', port: 80, targetPort: 8080, nodePort: 30080 },
      { name: 'grpc', port: 90 },
    ];
    expect(specOf({ ...assigned, ...kept, selector: { app: 'web' }, ports })).toStrictEqual({
      ...kept,
      selector: { app: 'web', hash: 'canary' },
      ports: [
        { name: 'http', port: 80, targetPort: 8080 },
        { name: 'grpc', port: 90 },
      ],
    });
  });

  it('has no ports where the stable one has none, and none where they are no list', () => {
    expect(specOf({ selector: { app: 'web' } })).toStrictEqual({ selector: { app: 'web', hash: 'canary' } });
    expect(specOf({ selector: { app: 'web' }, ports: 'x' })).toStrictEqual({
      selector: { app: 'web', hash: 'canary' },
      ports: [],
    });
  });

  it('has labels and annotations where the release copies them', () => {
    const metadata = { name: 'web', labels: { team: 'a' }, annotations: { note: 'b' }, uid: '1' };
    const of = (options: object) => {
      const made = copyOf({ selector: { app: 'web' } }, options, metadata);
      return made.ok ? made.service.metadata : undefined;
    };
    expect(of({})).toStrictEqual({ name: 'web-canary', namespace: 'shop' });
    expect(of({ copiesMetadata: false })).toStrictEqual({ name: 'web-canary', namespace: 'shop' });
    expect(of({ copiesMetadata: true })).toStrictEqual({
      ...{ name: 'web-canary', namespace: 'shop' },
      ...{ labels: { team: 'a' }, annotations: { note: 'b' } },
    });
  });

  it('selects patched labels that the selector has, and the others with the feature gate', () => {
    const patchedLabels = { app: 'web-new', track: 'beta' };
    const selector = { app: 'web', hash: 'canary' };
    expect(specOf({ selector: { app: 'web' } })).toStrictEqual({ selector });
    expect(specOf({ selector: { app: 'web' } }, { patchedLabels })).toStrictEqual({
      selector: { ...selector, app: 'web-new' },
    });
    const appended = { selector: { ...selector, ...patchedLabels } };
    expect(specOf({ selector: { app: 'web' } }, { patchedLabels, appendPodSelector: true })).toStrictEqual(appended);
  });

  const NIL = 'runtime error: invalid memory address or nil pointer dereference';
  it.each([[{}], [{ selector: {} }], [{ selector: null }], [{ selector: 'app' }], [null]])(
    'of a spec %j without a selector crashes the controller',
    (spec) => {
      expect(copyOf(spec)).toStrictEqual({
        ok: false,
        error: {
          class: 'panic',
          message: NIL,
          object: { kind: 'Service', namespace: 'shop', name: 'web' },
          path: 'spec.selector',
        },
      });
    },
  );

  it('of something without a name crashes it too', () => {
    const nameless = copyOf({}, {}, {});
    expect(nameless).toMatchObject({ ok: false, error: { class: 'panic', object: { name: '' } } });
  });

  it('has a name of at most 63 characters', () => {
    const named = (length: number) => copyOf({ selector: { app: 'web' } }, { name: 'w'.repeat(length) });
    expect(named(63)).toMatchObject({ ok: true });
    const name = 'w'.repeat(64);
    expect(named(64)).toStrictEqual({
      ok: false,
      error: {
        class: 'rejected',
        message: `metadata.name: Invalid value: "${name}": must be no more than 63 characters`,
        object: { kind: 'Service', namespace: 'shop', name },
        path: 'metadata.name',
      },
    });
  });
});

describe('the selector of a Service', () => {
  const service = { metadata: { name: 'web' }, spec: { selector: { app: 'web' }, ports: [] } };
  const at = (selector: object) => ({ ...service, spec: { selector, ports: [] } });

  it('gets a version, and another one', () => {
    expect(pinned(service, 'hash', 'stable')).toStrictEqual(at({ app: 'web', hash: 'stable' }));
    expect(pinned(pinned(service, 'hash', 'stable'), 'hash', 'canary')).toStrictEqual(
      at({ app: 'web', hash: 'canary' }),
    );
    expect(pinned({}, 'hash', 'stable')).toStrictEqual({ spec: { selector: { hash: 'stable' } } });
  });

  it('loses the version, and nothing else', () => {
    expect(unpinned(pinned(service, 'hash', 'stable'), 'hash')).toStrictEqual(service);
    expect(unpinned(service, 'hash')).toStrictEqual(service);
    expect(unpinned(pinned(service, 'hash', 'stable'), 'other')).toStrictEqual(at({ app: 'web', hash: 'stable' }));
  });
});
