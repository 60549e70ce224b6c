/** The first mistake of a group: its class, the words of the controller, the Ingress and the field. */
import { describe, expect, it } from 'vitest';
import { frozen, ingress, PREFIX, service } from './stack';

describe('a mistake in the target groups', () => {
  const of = (annotations: Readonly<Record<string, string>>, spec: object = {}) =>
    frozen(ingress('i', { annotations, paths: [{ service: 's' }] }), service('s', { spec }));

  it.each<[string, Readonly<Record<string, string>>, object, string[]]>([
    [
      'a target type that nobody knows',
      { 'target-type': 'pod' },
      {},
      ['target-type at i nowhere: ingress: shop/i: unknown targetType: pod'],
    ],
    [
      'instances without a node port',
      { 'target-type': 'instance' },
      {},
      [
        "target-group-port at i nowhere: ingress: shop/i: TargetGroup port is empty. When using Instance targets, your service be must of type 'NodePort' or 'LoadBalancer'",
      ],
    ],
    ['nothing for a target port of 0, which is that of the Service', {}, { ports: [{ port: 80, targetPort: 0 }] }, []],
    [
      'a protocol',
      { 'backend-protocol': 'http' },
      {},
      ['target-group-setting at i nowhere: ingress: shop/i: backend-protocol must be within [HTTP, HTTPS]: http'],
    ],
    [
      'a version of the protocol',
      { 'backend-protocol-version': 'HTTP3' },
      {},
      [
        'target-group-setting at i nowhere: ingress: shop/i: backend-protocol-version must be within [HTTP1, HTTP2, GRPC]: HTTP3',
      ],
    ],
    [
      'the protocol of the health check',
      { 'healthcheck-protocol': 'TCP' },
      {},
      ['target-group-setting at i nowhere: ingress: shop/i: healthcheck-protocol must be within [HTTP, HTTPS]: TCP'],
    ],
    [
      'an interval',
      { 'healthcheck-interval-seconds': '10s' },
      {},
      [
        'target-group-setting at i metadata.annotations["…/healthcheck-interval-seconds"]: ingress: shop/i: failed to parse int32 annotation, …/healthcheck-interval-seconds: "10s"',
      ],
    ],
    [
      'a timeout',
      { 'healthcheck-timeout-seconds': '' },
      {},
      [
        'target-group-setting at i metadata.annotations["…/healthcheck-timeout-seconds"]: ingress: shop/i: failed to parse int32 annotation, …/healthcheck-timeout-seconds: ""',
      ],
    ],
    [
      'a threshold',
      { 'healthy-threshold-count': '1.0' },
      {},
      [
        'target-group-setting at i metadata.annotations["…/healthy-threshold-count"]: ingress: shop/i: failed to parse int32 annotation, …/healthy-threshold-count: "1.0"',
      ],
    ],
    [
      'another threshold',
      { 'unhealthy-threshold-count': 'x' },
      {},
      [
        'target-group-setting at i metadata.annotations["…/unhealthy-threshold-count"]: ingress: shop/i: failed to parse int32 annotation, …/unhealthy-threshold-count: "x"',
      ],
    ],
    [
      'attributes',
      { 'target-group-attributes': 'x' },
      {},
      [
        'target-group-setting at i metadata.annotations["…/target-group-attributes"]: ingress: shop/i: failed to parse stringMap annotation, …/target-group-attributes: "x"',
      ],
    ],
    [
      'the port of the health check',
      { 'healthcheck-port': 'x' },
      {},
      ['target-group-setting at i nowhere: ingress: shop/i: failed to resolve healthCheckPort: unable to find port x'],
    ],
    [
      'the port of the health check by the name of a named port',
      { 'healthcheck-port': 'metrics' },
      {},
      [
        "target-group-setting at i nowhere: ingress: shop/i: cannot use named healthCheckPort for IP TargetType when service's targetPort is a named port",
      ],
    ],
    [
      'IPv6 without a load balancer for both',
      {},
      { ipFamilies: ['IPv4', 'IPv6'] },
      ['target-group-setting at i nowhere: ingress: shop/i: unsupported IPv6 configuration, lb not dual-stack'],
    ],
    [
      'nothing for IPv6 with a load balancer for both',
      { 'ip-address-type': 'dualstack' },
      { ipFamilies: ['IPv6'] },
      [],
    ],
    [
      'nothing for IPv6 with a load balancer for both, without public addresses',
      { 'ip-address-type': 'dualstack-without-public-ipv4' },
      { ipFamilies: ['IPv6'] },
      [],
    ],
    [
      'nothing for what is right',
      {
        'backend-protocol': 'HTTPS',
        'backend-protocol-version': 'GRPC',
        'healthcheck-protocol': 'HTTP',
        'healthcheck-port': 'traffic-port',
        'healthcheck-interval-seconds': '10',
        'target-group-attributes': 'a=b',
      },
      {},
      [],
    ],
    ['nothing for a port of the health check by a number or a name', { 'healthcheck-port': '8080' }, {}, []],
    ['nothing for a port of the health check by the name of a port', { 'healthcheck-port': 'http' }, {}, []],
    ['nothing for instances of a NodePort', { 'target-type': 'instance' }, { type: 'NodePort' }, []],
    ['nothing for instances of a LoadBalancer', { 'target-type': 'instance' }, { type: 'LoadBalancer' }, []],
    [
      'instances of a LoadBalancer without node ports',
      { 'target-type': 'instance' },
      { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false },
      [
        "target-group-port at i nowhere: ingress: shop/i: TargetGroup port is empty. When using Instance targets, your service be must of type 'NodePort' or 'LoadBalancer'",
      ],
    ],
    [
      'nothing for a node port that is given',
      { 'target-type': 'instance' },
      { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false, ports: [{ port: 80, nodePort: 30080 }] },
      [],
    ],
    ['nothing for any port of an ExternalName', {}, { type: 'ExternalName', ports: [] }, []],
  ])('%s', (_, annotations, spec, expected) => expect(of(annotations, spec)).toEqual(expected));

  it('a port of the number 0', () => {
    const zero = service('s', { spec: { ports: [{ port: 0 }] } });
    expect(frozen(ingress('i', { paths: [{ service: 's', port: 0 }] }), zero)).toEqual([
      'target-group-port at i nowhere: ingress: shop/i: TargetGroup port is empty. Are you using the correct service type?',
    ]);
  });

  it('the name of a port of an ExternalName', () => {
    const external = service('s', { spec: { type: 'ExternalName', ports: [] } });
    expect(frozen(ingress('i', { paths: [{ service: 's', port: 'http' }] }), external)).toEqual([
      'service-port at i nowhere: ingress: shop/i: unable to find port http on service shop/s',
    ]);
  });

  it('tags of the Service, and settings of the Service before those of the Ingress', () => {
    const with_ = (annotations: object, own: Readonly<Record<string, string>> = {}) =>
      frozen(ingress('i', { annotations: own, paths: [{ service: 's' }] }), service('s', { annotations }));
    expect(with_({ [`${PREFIX}/tags`]: 'x' })).toEqual([
      'target-group-setting at i nowhere: ingress: shop/i: failed to parse stringMap annotation, …/tags: "x"',
    ]);
    expect(with_({ [`${PREFIX}/target-type`]: 'x' })).toEqual([
      'target-type at i nowhere: ingress: shop/i: unknown targetType: x',
    ]);
    expect(with_({ [`${PREFIX}/target-type`]: 'ip' }, { 'target-type': 'x' })).toEqual([]);
    const interval = 'healthcheck-interval-seconds';
    expect(with_({ [`${PREFIX}/${interval}`]: 'x' }, { [interval]: '1' })).toEqual([
      'target-group-setting at i nowhere: ingress: shop/i: failed to parse int32 annotation, …/healthcheck-interval-seconds: "x"',
    ]);
    expect(with_({ [`${PREFIX}/tags`]: 'a=b' }, { [interval]: 'x' })).toEqual([
      'target-group-setting at i metadata.annotations["…/healthcheck-interval-seconds"]: ingress: shop/i: failed to parse int32 annotation, …/healthcheck-interval-seconds: "x"',
    ]);
  });
});
