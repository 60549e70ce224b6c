/** The answers of kube-apiserver 1.34.2 to server-side apply and to creation: what one of them refuses is an error. */
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../src/core/json';
import { fieldText } from '../../../src/core/schema/error';
import { validateMetadata } from '../../../src/core/schema/metadata';

const OWNER = { apiVersion: 'v1', kind: 'X', name: 'y', uid: 'u' };
const without = (key: keyof typeof OWNER) => Object.fromEntries(Object.entries(OWNER).filter(([name]) => name !== key));
const owners = (...list: readonly Json[]): JsonObject => ({ ownerReferences: [...list] });
const refused = (metadata: JsonObject) =>
  validateMetadata({ metadata: { name: 'web', ...metadata } }).map(({ path }) => fieldText(path));

describe('fields of metadata that servers write', () => {
  it.each<[what: string, metadata: JsonObject]>([
    ['an owner', owners(OWNER)],
    ['an owner that controls', owners({ ...OWNER, controller: true }, { ...OWNER, uid: 'v', controller: false })],
    ['no list of owners', { ownerReferences: null }],
    ['no time', { creationTimestamp: null }],
    ['a time', { creationTimestamp: '2024-01-01T00:00:00Z', deletionTimestamp: '2024-01-01T00:00:00.5+02:00' }],
    ['a number', { generation: 5, deletionGracePeriodSeconds: null }],
    ['what a cluster shows', { uid: 'abc', resourceVersion: '7', selfLink: '/x', managedFields: [{ manager: 'a' }] }],
  ])('may be %s', (_, metadata) => expect(refused(metadata)).toEqual([]));

  it.each<[what: string, metadata: JsonObject, fields: string[]]>([
    ['an owner without version', owners(without('apiVersion')), ['metadata.ownerReferences[0].apiVersion']],
    ['an owner without kind', owners(without('kind')), ['metadata.ownerReferences[0].kind']],
    ['an owner without name', owners(without('name')), ['metadata.ownerReferences[0].name']],
    ['an owner without uid', owners(OWNER, without('uid')), ['metadata.ownerReferences[1].uid']],
    ['an empty uid', owners({ ...OWNER, uid: '' }), ['metadata.ownerReferences[0].uid']],
    ['a group alone', owners({ ...OWNER, apiVersion: 'apps/' }), ['metadata.ownerReferences[0].apiVersion']],
    ['too many slashes', owners({ ...OWNER, apiVersion: 'a/b/c' }), ['metadata.ownerReferences[0].apiVersion']],
    ['an Event as owner', owners({ ...OWNER, kind: 'Event' }), ['metadata.ownerReferences[0].kind']],
    [
      'two owners that control',
      owners({ ...OWNER, controller: true }, { ...OWNER, uid: 'v', controller: true }),
      ['metadata.ownerReferences'],
    ],
    ['one owner twice', owners(OWNER, OWNER), ['metadata.ownerReferences[1].uid']],
    ['a text for a flag', owners({ ...OWNER, controller: 'yes' }), ['metadata.ownerReferences[0].controller']],
    ['an owner that is a number', owners(1), ['metadata.ownerReferences[0]']],
    ['one owner for a list', { ownerReferences: OWNER }, ['metadata.ownerReferences']],
    ['a word for a time', { creationTimestamp: 'yesterday' }, ['metadata.creationTimestamp']],
    ['a date for a time', { deletionTimestamp: '2024-01-01' }, ['metadata.deletionTimestamp']],
    ['a number for a time', { creationTimestamp: 5 }, ['metadata.creationTimestamp']],
    ['a text for a number', { generation: '5' }, ['metadata.generation']],
    ['a fraction', { generation: 1.5 }, ['metadata.generation']],
    ['a number for a text', { uid: 5, resourceVersion: 5 }, ['metadata.uid', 'metadata.resourceVersion']],
    ['a text for a list', { managedFields: 'x', finalizers: 'x' }, ['metadata.managedFields', 'metadata.finalizers']],
  ])('may not be %s', (_, metadata, fields) => expect(refused(metadata)).toEqual(fields));
});
