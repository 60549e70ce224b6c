/** What a finding says about each error that stops the controller. */
import { describe, expect, it } from 'vitest';
import { parseManifests, World } from '../../../src/core';
import type { ControllerError } from '../../../src/kruise/controller';
import { stopOf } from '../../../src/kruise/release/stop';

const SERVICE = `apiVersion: v1
kind: Service
metadata: { name: web, namespace: shop }
spec:
  ports:
    - port: 80
    - port: 90
`;
const world = World.of(parseManifests(SERVICE, 'a.yaml').manifests);
const service = world.get({ kind: 'Service', name: 'web', namespace: 'shop' })!;
const STEP = ['spec', 'strategy', 'canary', 'steps', 0];
const ROUTES = ['spec', 'strategy', 'canary', 'trafficRoutings', 0];
const object = { kind: 'Service', namespace: 'shop', name: 'web' };
const absent = { kind: 'Service', namespace: 'shop', name: 'nobody' };

const stop = (error: ControllerError, step = 0) =>
  stopOf({ ...error, step }, { world, steps: [{ path: STEP, trafficPath: STEP }], path: ROUTES });
const remark = (error: ControllerError, step?: number) => stop(error, step).remark;

describe('what stops the controller', () => {
  it('has a class, a message and a step', () => {
    expect(stop({ class: 'lua', message: 'it fails' })).toStrictEqual({
      class: 'lua',
      message: 'it fails',
      step: 0,
      remark: {
        rule: 'rehearsal-controller-stuck',
        message: 'the controller does not get beyond steps[0]: it fails',
        path: STEP,
        step: 0,
      },
    });
  });

  it('is about the routes where there is no such step', () => {
    expect(stop({ class: 'lua', message: 'it fails' }, 1)).toStrictEqual({
      class: 'lua',
      message: 'it fails',
      step: 1,
      remark: {
        rule: 'rehearsal-controller-stuck',
        message: 'the controller does not get beyond steps[1]: it fails',
        path: ROUTES,
      },
    });
  });

  const STUCK = 'rehearsal-controller-stuck';
  it.each<[error: ControllerError, rule: string, message: string]>([
    [
      { class: 'lua', message: 'm', line: 3 },
      STUCK,
      'the controller does not get beyond steps[0]: m (line 3 of the script)',
    ],
    [{ class: 'lua', message: 'm', object }, STUCK, 'the controller does not get beyond steps[0] on Service "web": m'],
    [{ class: 'lua', message: 'm', object: absent }, STUCK, 'the controller does not get beyond steps[0]: m'],
    [{ class: 'script-not-found', message: 'm' }, STUCK, 'the controller does not get beyond steps[0]: m'],
    [{ class: 'original-missing', message: 'm' }, STUCK, 'the controller does not get beyond steps[0]: m'],
    [{ class: 'rejected', message: 'm' }, STUCK, 'the controller does not get beyond steps[0]: m'],
    [{ class: 'livelock', message: 'm', state: 'S' }, STUCK, 'steps[0] never leaves the state S: m'],
    [{ class: 'waits', message: 'm', state: 'S' }, STUCK, 'steps[0] never leaves the state S: m'],
    [{ class: 'never-settles', message: 'm' }, 'rehearsal-never-settles', 'steps[0] is never done: m'],
    [{ class: 'panic', message: 'm' }, 'rehearsal-controller-panics', 'the controller crashes'],
    [
      { class: 'panic', message: 'm', object },
      'rehearsal-controller-panics',
      'the controller crashes on Service "web"',
    ],
    [
      { class: 'panic', message: 'm', object, path: 'spec.selector' },
      'rehearsal-controller-panics',
      'the controller crashes on Service "web": spec.selector is missing',
    ],
    [
      { class: 'not-found', message: 'm' },
      'rehearsal-incomplete',
      'the rehearsal ends before steps[0]: m in these manifests',
    ],
  ])('%j is found as %s: %s', (error, rule, message) => {
    expect(remark(error)).toMatchObject({ rule, message });
  });

  const SCRIPT =
    'add the script to the ConfigMap "kruise-rollout-configuration" of the controller, or use another class';
  const MISSING =
    'missing objects cannot be rehearsed; if the cluster does not have it either, the release stays in ' +
    'Progressing (Initializing) for ever, and the status does not say why';
  const FOREVER = 'the controller does this for ever and reports no error: the status says only "s"';
  it.each<[error: ControllerError, texts: object]>([
    [{ class: 'script-not-found', message: 'm', fix: 'f' }, { fix: SCRIPT }],
    [{ class: 'not-found', message: 'm', fix: 'f', says: 's' }, { because: MISSING }],
    [{ class: 'livelock', message: 'm', says: 's' }, { because: FOREVER }],
    [
      { class: 'livelock', message: 'm', says: 's', fix: 'f' },
      { because: FOREVER, fix: 'f' },
    ],
    [
      { class: 'waits', message: 'm', says: 's', fix: 'f' },
      { because: FOREVER, fix: 'f' },
    ],
    [{ class: 'rejected', message: 'm', fix: 'f' }, { fix: 'f' }],
    [{ class: 'rejected', message: 'm', says: 's' }, {}],
    [{ class: 'panic', message: 'm' }, {}],
  ])('%j has these texts of its own', (error, texts) => {
    const { rule: _rule, message: _message, path: _path, step: _step, ...rest } = remark(error);
    expect(rest).toStrictEqual(texts);
  });

  it('has the text to search for in the log, unless an object is missing', () => {
    expect(remark({ class: 'lua', message: 'm', log: 'l' }).log).toBe('l');
    expect(remark({ class: 'lua', message: 'm' })).not.toHaveProperty('log');
    expect(remark({ class: 'not-found', message: 'm', log: 'l' })).not.toHaveProperty('log');
  });

  it('names a missing object as absent, and no other', () => {
    expect(remark({ class: 'not-found', message: 'm', object: absent }).absent).toStrictEqual([absent]);
    expect(remark({ class: 'not-found', message: 'm' })).not.toHaveProperty('absent');
    expect(remark({ class: 'lua', message: 'm', object: absent })).not.toHaveProperty('absent');
  });

  const related = (path: string | undefined, of = object) =>
    remark({ class: 'rejected', message: 'm', object: of, ...(path === undefined ? {} : { path }) }).related;

  it('shows the field that is meant, as far as the manifest has it', () => {
    const at = (line: number) => ({ source: expect.objectContaining({ file: 'a.yaml', line }) });
    expect(related('spec.ports[1].port')).toStrictEqual({
      message: 'spec.ports[1].port is meant',
      object: service.ref,
      ...at(7),
    });
    expect(related('spec.ports[0].port')).toMatchObject(at(6));
    expect(related('spec.selector')).toMatchObject(at(4));
    expect(related('kind')).toMatchObject(at(2));
  });

  it('shows none without a path, and none of an object that is not there', () => {
    expect(related(undefined)).toBeUndefined();
    expect(remark({ class: 'rejected', message: 'm', object })).not.toHaveProperty('related');
    expect(related('spec', absent)).toBeUndefined();
    expect(remark({ class: 'rejected', message: 'm', path: 'spec' }).related).toBeUndefined();
  });
});
