import { ApiObject, App, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { describe, expect, test } from 'vitest';
import {
  AlbCanaryIngress,
  AliyunAlbCanaryIngress,
  KruiseRollout,
  KruiseRolloutStep,
  KruiseRolloutStrategy,
} from '../../src/constructs';
import { checkNamespace, inConstruct } from '../../src/constructs/construct-errors';

function chart(namespace?: string): Chart {
  return new Chart(new App(), 'shop', namespace === undefined ? {} : { namespace });
}

describe('an error in a construct', () => {
  const construct = new Construct(chart(), 'It');

  test('names the construct', () => {
    const make = () => {
      throw new Error('no such thing');
    };
    expect(() => inConstruct(construct, make)).toThrow(new Error('shop/It: no such thing'));
    expect(inConstruct(construct, () => 'made')).toBe('made');
  });

  test('of the engine says that a property has the wrong type', () => {
    const make = () => (undefined as unknown as { readonly name: string }).name;
    expect(() => inConstruct(construct, make)).toThrow(TypeError);
    expect(() => inConstruct(construct, make)).toThrow(/^shop\/It: a property has the wrong type: Cannot read/);
  });

  test('that is no Error is thrown unchanged', () => {
    const thrown = { code: 1 };
    try {
      inConstruct(construct, () => {
        throw thrown;
      });
      expect.unreachable();
    } catch (error) {
      expect(error).toBe(thrown);
    }
  });
});

describe('the namespace of a Service', () => {
  const ingress = (scope: Chart, namespace?: string) =>
    new ApiObject(scope, 'Ingress', {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      ...(namespace !== undefined && { metadata: { namespace } }),
    });
  const service = (namespace: unknown) => ({ name: 'web', metadata: { namespace } });
  const check = (ours: string | undefined, of: { readonly name: string }) => {
    const scope = chart();
    return () => checkNamespace(scope, ingress(scope, ours), of);
  };

  test('is that of the Ingress', () => {
    expect(check('shop', service('shop'))).not.toThrow();
    expect(check('shop', service('other'))).toThrow(
      'shop: the service "web" is in the namespace "other" and the Ingress in "shop": an Ingress reaches Services of its own namespace only',
    );
  });

  test('is "default" if the Ingress has none', () => {
    expect(check(undefined, service('default'))).not.toThrow();
    expect(check(undefined, service('other'))).toThrow('in the namespace "other" and the Ingress in "default"');
    expect(check('shop', service('default'))).toThrow('in the namespace "default" and the Ingress in "shop"');
  });

  test('is not known for a name, and for invalid metadata', () => {
    expect(check('shop', { name: 'web' })).not.toThrow();
    for (const metadata of [null, undefined, 'text', {}, { namespace: undefined }, { namespace: 5 }]) {
      expect(check('shop', { name: 'web', metadata } as { readonly name: string })).not.toThrow();
    }
  });
});

describe('props that were cast', () => {
  const cyclic: Record<string, unknown> = { name: 'web' };
  cyclic.labels = { self: cyclic };

  test.each([
    ['service as text', { service: 'web' }, 'shop/It: "service" is the string "web": give an object'],
    [
      'rules as an object',
      { service: { name: 'web', port: 80 }, rules: {} },
      'shop/It: "rules" is an object: give a list',
    ],
    [
      'cyclic metadata',
      { service: { name: 'web', port: 80 }, metadata: cyclic },
      'shop/It: "metadata.labels.self" refers back to an object that holds it: give plain data without cycles',
    ],
    ['metadata as text', { service: { name: 'web', port: 80 }, metadata: 'web' }, '"metadata" is the string "web"'],
    [
      'two at once',
      { service: 5, metadata: { labels: { a: Symbol('b'), b: 1n } } },
      'shop/It: "metadata.labels.a" is a symbol: give a string or a number; "metadata.labels.b" is a bigint: give a string or a number',
    ],
  ])('are refused in one message: %s', (_, props, message) => {
    for (const AnyIngress of [AlbCanaryIngress, AliyunAlbCanaryIngress]) {
      expect(() => new AnyIngress(chart(), 'It', props as never)).toThrow(message);
    }
  });

  test('may have no prototype', () => {
    const metadata = Object.assign(Object.create(null), {
      name: 'web',
      labels: Object.assign(Object.create(null), { a: 'b' }),
    });
    const strategy = KruiseRolloutStrategy.canary({ steps: [KruiseRolloutStep.traffic('100%')] });
    const workload = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
    const { apiObject } = new KruiseRollout(chart(), 'It', { metadata, workload, strategy });
    expect(apiObject.name).toBe('web');
    expect(apiObject.metadata.toJson()).toEqual({ name: 'web', labels: { a: 'b' } });
  });
});
