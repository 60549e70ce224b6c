import { describe, expect, it } from 'vitest';
import { errorOf, groupOf, groupsOf, ingress, rulesOf, service, withAction } from './stack';

const two = (first: object, second: object) => ({
  type: 'forward',
  forwardConfig: { targetGroups: [first, second] },
});

const actionOf = (json: unknown) => rulesOf(withAction(json))[0]!.actions[0];
const errorFor = (json: unknown) => errorOf(withAction(json));

describe('actions', () => {
  it('keep the order, weights and stickiness of target groups', () => {
    const json =
      '{"Type":"forward","ForwardConfig":{"TargetGroups":[{"ServiceName":"web-canary","ServicePort":"80","Weight":0},' +
      '{"ServiceName":"web","ServicePort":"http","Weight":100}],"TargetGroupStickinessConfig":{"Enabled":true,"DurationSeconds":60}}}';
    expect(actionOf(json)).toEqual({
      type: 'forward',
      targetGroups: [
        { namespace: 'shop', service: 'web-canary', port: 80, weight: 0 },
        { namespace: 'shop', service: 'web', port: 'http', weight: 100 },
      ],
      stickiness: { enabled: true, durationSeconds: 60 },
    });
  });

  it('may name a target group of AWS, alone or among Services', () => {
    expect(actionOf({ type: 'forward', targetGroupARN: 'arn:x' })).toEqual({
      type: 'forward',
      targetGroups: [{ targetGroupARN: 'arn:x' }],
    });
    expect(actionOf({ type: 'forward', targetGroupName: 'tg' })).toMatchObject({
      targetGroups: [{ targetGroupName: 'tg' }],
    });
    expect(
      actionOf(two({ targetGroupARN: 'arn:x', weight: 1 }, { serviceName: 'web', servicePort: 80, weight: 9 })),
    ).toMatchObject({
      targetGroups: [
        { targetGroupARN: 'arn:x', weight: 1 },
        { service: 'web', weight: 9 },
      ],
    });
  });

  it('may forward to nothing, because the controller does not check it', () => {
    expect(actionOf({ type: 'forward', forwardConfig: { targetGroups: [] } })).toEqual({
      type: 'forward',
      targetGroups: [],
    });
  });

  it.each(['Forward', 'fixed_response', '', 'authenticate-oidc'])('reject the type %j', (type) => {
    expect(errorFor({ type })).toBe('action-type');
  });

  it.each([
    [{ type: 'forward' }],
    [{ type: 'forward', targetGroupARN: 'x', forwardConfig: { targetGroups: [] } }],
    [{ type: 'redirect' }],
    [{ type: 'redirect', redirectConfig: { host: 'x' } }],
    [{ type: 'fixed-response' }],
    [{ type: 'fixed-response', fixedResponseConfig: { statusCode: '' } }],
    [{ type: 'forward', forwardConfig: { targetGroups: [{}] } }],
    [{ type: 'forward', forwardConfig: { targetGroups: [{ serviceName: 'web' }] } }],
    [
      {
        type: 'forward',
        forwardConfig: { targetGroups: [{ serviceName: 'web', servicePort: 80, targetGroupName: 'x' }] },
      },
    ],
  ])('refuse the configuration %j', (json) => expect(errorFor(json)).toBe('action-config'));

  it('need a weight for every target if there are several', () => {
    const target = { serviceName: 'web', servicePort: 80 };
    expect(errorFor(two({ ...target, weight: 1 }, target))).toBe('action-weight-missing');
    expect(errorFor({ type: 'forward', forwardConfig: { targetGroups: [target] } })).toBeUndefined();
  });

  it.each(['20.0', '2e1', '"20"', '2147483648'])('reject the weight %s', (weight) => {
    const json = `{"type":"forward","forwardConfig":{"targetGroups":[{"serviceName":"web","servicePort":80,"weight":${weight}}]}}`;
    expect(errorFor(json)).toBe('json');
  });

  it('name the annotation that does not decode, and its path', () => {
    const { failure } = groupOf(withAction('{"type":1}'));
    expect(failure?.message).toBe(
      'ingress: shop/i: failed to parse json annotation, alb.ingress.kubernetes.io/actions.web: {"type":1}: type must be a string, not the number 1',
    );
    expect(failure?.path).toEqual(['metadata', 'annotations', 'alb.ingress.kubernetes.io/actions.web']);
  });

  it('are read only if a backend uses them', () => {
    const broken = { 'actions.web': '{', 'conditions.other': '{', 'transforms.other': '{' };
    expect(rulesOf(ingress('i', { annotations: broken }))[0]!.actions).toMatchObject([
      { targetGroups: [{ port: 80 }] },
    ]);
  });
});

describe('missing objects', () => {
  const unavailable = (messageBody: string) => [
    { type: 'fixed-response', fixedResponse: { statusCode: '503', contentType: 'text/plain', messageBody } },
  ];

  it('answer 503 for an action', () => {
    expect(rulesOf(ingress('i', { paths: [{ port: 'use-annotation' }] }))[0]!.actions).toEqual(
      unavailable('Backend action does not exist'),
    );
  });

  it('answer 503 for a single Service, and freeze the group for one of several', () => {
    const expected = unavailable('Backend service does not exist');
    expect(rulesOf(ingress('i', { paths: [{ service: 'ghost' }] }))[0]!.actions).toEqual(expected);
    const ghost = { serviceName: 'ghost', servicePort: 80, weight: 1 };
    expect(actionOf({ type: 'forward', forwardConfig: { targetGroups: [ghost] } })).toEqual(expected[0]);
    expect(errorFor(two(ghost, { ...ghost, serviceName: 'web' }))).toBe('service-not-found');
    expect(errorFor(two(ghost, ghost))).toBe('service-not-found');
    expect(errorFor(two(ghost, { targetGroupARN: 'arn:x', weight: 1 }))).toBe('service-not-found');
  });

  it('include a Service of another namespace', () => {
    expect(rulesOf(ingress('i', { namespace: 'other' }))[0]!.actions).toEqual(
      unavailable('Backend service does not exist'),
    );
  });

  it.each([[81], ['https'], ['80']])('freeze the group for the port %j', (port) => {
    expect(errorOf(ingress('i', { paths: [{ port }] }))).toBe('service-port');
  });

  it('freeze the group for a resource backend', () => {
    const resource = { backend: { resource: { kind: 'Bucket', name: 'x' } }, path: '/', pathType: 'Prefix' };
    expect(errorOf(ingress('i', { spec: { rules: [{ http: { paths: [resource] } }] } }))).toBe('resource-backend');
  });
});

describe('ports in actions', () => {
  const portError = (servicePort: unknown) =>
    errorFor({ type: 'forward', forwardConfig: { targetGroups: [{ serviceName: 'web', servicePort }] } });

  it.each([80, '80', '080', '+80', 'http'])('%j is the port 80', (port) => expect(portError(port)).toBeUndefined());

  it.each([
    [' 80', 'service-port'],
    [8443, 'service-port'],
    [true, 'json'],
    [80.5, 'json'],
  ])('%j is none', (port, errorClass) => expect(portError(port)).toBe(errorClass));
});

describe('target types', () => {
  const instance = { 'target-type': 'instance' };
  const withService =
    (spec: object, annotations = {}) =>
    (target: Record<string, string>) =>
      groupsOf([
        service('svc', { spec, annotations }),
        ingress('i', { annotations: target, paths: [{ service: 'svc' }] }),
      ])[0]!.failure?.errorClass;

  it('need a node port for instances; the API server allocates it for some Services', () => {
    expect(withService({})(instance)).toBe('target-group-port');
    expect(withService({ type: 'NodePort' })(instance)).toBeUndefined();
    expect(withService({ type: 'LoadBalancer' })(instance)).toBeUndefined();
    expect(withService({ type: 'LoadBalancer', allocateLoadBalancerNodePorts: false })(instance)).toBe(
      'target-group-port',
    );
    expect(withService({})({ 'target-type': 'ip' })).toBeUndefined();
  });

  it('are instance by default', () => {
    const bare = { ...ingress('i'), metadata: { namespace: 'shop', name: 'i' } };
    expect(errorOf(bare)).toBe('target-group-port');
  });

  it.each(['IP', '', 'Instance'])('reject %j', (type) =>
    expect(withService({})({ 'target-type': type })).toBe('target-type'),
  );

  it('on the Service win over those on the Ingress', () => {
    expect(withService({}, { 'alb.ingress.kubernetes.io/target-type': 'ip' })(instance)).toBeUndefined();
    expect(withService({}, { 'alb.ingress.kubernetes.io/target-type': 'instance' })({})).toBe('target-group-port');
  });

  it('reach any port number of an ExternalName', () => {
    expect(withService({ type: 'ExternalName', externalName: 'x.com', ports: [] })({})).toBeUndefined();
  });

  it.each([
    ['backend-protocol', 'http'],
    ['backend-protocol-version', 'HTTP3'],
    ['healthcheck-port', 'nope'],
    ['healthcheck-protocol', 'TCP'],
    ['healthcheck-interval-seconds', '5s'],
    ['target-group-attributes', 'x'],
  ])('go with settings that are checked: %s %j', (suffix, value) => {
    expect(withService({})({ [suffix]: value })).toBe('target-group-setting');
  });

  it('with IPv6 need a load balancer with both', () => {
    const spec = { ipFamilies: ['IPv6'] };
    expect(withService(spec)({})).toBe('target-group-setting');
    expect(withService(spec)({ 'ip-address-type': 'dualstack' })).toBeUndefined();
  });
});
