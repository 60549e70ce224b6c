import { describe, expect, it, test } from 'vitest';
import {
  type AliyunAlbCanaryIngressOptions,
  aliyunAlbCanaryIngress,
  aliyunAlbTrafficRouting,
  aliyunOrderAnnotations,
  checkedAliyunOrder,
} from '../../../src/kruise/alb/aliyun-canary-ingress';
import { albIngressClass, albIngressClassParams } from '../../../src/kruise/alb/ingress-class';

const service = { name: 'web', port: 80 };
const specOf = (options: Partial<AliyunAlbCanaryIngressOptions>) =>
  aliyunAlbCanaryIngress({ service, ...options }).spec;
const backend = (name: string, port: object) => ({ service: { name, port } });

describe('an Ingress on an ALB of Alibaba Cloud', () => {
  it('sends everything to the Service', () => {
    expect(aliyunAlbCanaryIngress({ service }, { name: 'web' })).toEqual({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name: 'web' },
      spec: {
        ingressClassName: 'alb',
        rules: [{ http: { paths: [{ path: '/', pathType: 'Prefix', backend: backend('web', { number: 80 }) }] } }],
      },
    });
  });

  it('has rules, hosts, paths and Services of its own', () => {
    const paths = [
      { path: '/a', pathType: 'Exact' as const },
      { path: '/b', service: { name: 'api', port: 'http' } },
    ];
    expect(specOf({ ingressClassName: 'internal', rules: [{ host: 'a.example.com', paths }] })).toEqual({
      ingressClassName: 'internal',
      rules: [
        {
          host: 'a.example.com',
          http: {
            paths: [
              { path: '/a', pathType: 'Exact', backend: backend('web', { number: 80 }) },
              { path: '/b', pathType: 'Prefix', backend: backend('api', { name: 'http' }) },
            ],
          },
        },
      ],
    });
  });

  test.each<[Partial<AliyunAlbCanaryIngressOptions>, string]>([
    [{ service: { name: '', port: 80 } }, 'service has no name'],
    [{ rules: [] }, 'rules is empty'],
    [{ rules: [{ host: 'a', paths: [] }] }, 'paths of the host "a" is empty'],
    [{ rules: [{ paths: [] }] }, 'paths of the host "*" is empty'],
    [{ rules: [{ paths: [{ path: 'a' }] }] }, 'path is "a": it must start with a slash'],
  ])('may not be %j', (options, problem) => {
    expect(() => specOf(options)).toThrow(problem);
  });

  it('has its orders from the construct', () => {
    const annotations = aliyunOrderAnnotations({ stable: 20, canary: 10 });
    expect(annotations).toEqual({
      'alb.ingress.kubernetes.io/order': '20',
      'rollout-constructs.io/canary-order': '10',
    });
    for (const key of Object.keys(annotations)) {
      expect(() => aliyunAlbCanaryIngress({ service }, { annotations: { [key]: '1' } })).toThrow(
        `the annotation ${key} belongs to the construct: set the prop order`,
      );
    }
  });

  it('is named by the routing of a Rollout', () => {
    expect(aliyunAlbTrafficRouting(service, 'front')).toEqual({
      service: 'web',
      gracePeriodSeconds: 30,
      ingress: { name: 'front', classType: 'aliyun-alb' },
    });
    expect(aliyunAlbTrafficRouting(service, 'front', 5).gracePeriodSeconds).toBe(5);
  });

  test.each([
    [{ stable: 1000, canary: 1 }, undefined],
    [{ stable: 2, canary: 1 }, undefined],
    [{ stable: 1001, canary: 1 }, 'order.stable is 1001: give an integer from 1 to 1000'],
    [{ stable: 2, canary: 0 }, 'order.canary is 0: give an integer'],
    [{ stable: 2.5, canary: 1 }, 'order.stable is 2.5'],
    [{ stable: 2, canary: 2 }, 'order.canary is 2 and order.stable is 2: the smaller order is evaluated first'],
    [{ stable: 2, canary: 3 }, 'order.canary is 3 and order.stable is 2'],
  ])('may have the orders %j', (order, problem) => {
    if (problem === undefined) expect(checkedAliyunOrder(order)).toEqual(order);
    else expect(() => checkedAliyunOrder(order)).toThrow(problem);
  });
});

describe('a class of Ingresses on AWS', () => {
  it('has parameters, and only those that are given', () => {
    expect(albIngressClassParams({})).toEqual({
      apiVersion: 'elbv2.k8s.aws/v1beta1',
      kind: 'IngressClassParams',
      metadata: {},
      spec: {},
    });
    const options = {
      ...({ group: 'public', scheme: 'internal', targetType: 'ip', ipAddressType: 'dualstack' } as const),
      ...{ certificates: ['arn'], sslPolicy: 'policy', inboundCidrs: ['10.0.0.0/8'], namespaceSelector: { team: 'a' } },
      ...{ loadBalancerAttributes: { a: 'b' }, tags: { c: 'd' } },
    };
    const { metadata, spec } = albIngressClassParams(options, { name: 'public', labels: { x: 'y' }, annotations: {} });
    expect(metadata).toEqual({ name: 'public', labels: { x: 'y' } });
    expect(spec).toEqual({
      namespaceSelector: { matchLabels: { team: 'a' } },
      group: { name: 'public' },
      scheme: 'internal',
      targetType: 'ip',
      ipAddressType: 'dualstack',
      certificateArn: ['arn'],
      sslPolicy: 'policy',
      inboundCIDRs: ['10.0.0.0/8'],
      loadBalancerAttributes: [{ key: 'a', value: 'b' }],
      tags: [{ key: 'c', value: 'd' }],
    });
  });

  it('refers to them, and may be the default', () => {
    const spec = {
      controller: 'ingress.k8s.aws/alb',
      parameters: { apiGroup: 'elbv2.k8s.aws', kind: 'IngressClassParams', name: 'params' },
    };
    const named = { name: 'alb', annotations: { a: 'b' } };
    const [apiVersion, kind] = ['networking.k8s.io/v1', 'IngressClass'];
    expect(albIngressClass({}, named, 'params')).toEqual({ apiVersion, kind, metadata: named, spec });
    expect(albIngressClass({ isDefault: false }, named, 'params').metadata).toEqual(named);
    expect(albIngressClass({ isDefault: true }, named, 'params').metadata).toEqual({
      name: 'alb',
      annotations: { a: 'b', 'ingressclass.kubernetes.io/is-default-class': 'true' },
    });
  });
});
