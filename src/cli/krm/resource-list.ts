import { type Document, isMap, parseDocument } from 'yaml';
import type { ObjectRef } from '../../core/finding';
import { isJsonObject, type Json, type JsonObject } from '../../core/json';
import type { Manifest } from '../../core/manifest';
import type { KrmFile } from '../../report/krm';
import { UserError } from '../../settings/user-error';

const API_VERSION = 'config.kubernetes.io/v1';

/** The input of a KRM function, which is also its output. */
export interface ResourceList {
  /** The settings that the functionConfig states. */
  readonly spec: JsonObject;
  /** The same list with results; items and their comments stay as they are. */
  withResults(results: readonly JsonObject[]): string;
}

/** Reads the ResourceList that kustomize or kpt writes. */
export function readResourceList(text: string): ResourceList {
  const document = parsed(text);
  const [apiVersion, kind] = [document.get('apiVersion'), document.get('kind')];
  if (kind !== 'ResourceList') {
    throw new UserError(
      `standard input is ${kind === undefined ? 'no Kubernetes object' : `a ${kind}`}, not a ResourceList`,
      `kustomize and kpt write one; to check plain manifests: rollout-constructs check -`,
    );
  }
  if (apiVersion !== API_VERSION) {
    throw new UserError(`the ResourceList has apiVersion ${apiVersion}`, `this function reads ${API_VERSION}`);
  }
  return {
    spec: specOf(document),
    withResults: (results) => {
      document.delete('results');
      if (results.length > 0) document.set('results', document.createNode(results));
      return document.toString({ lineWidth: 0 });
    },
  };
}

function parsed(text: string): Document {
  const document = parseDocument(text, { merge: false });
  const [error] = document.errors;
  if (error !== undefined) throw new UserError(`standard input is no YAML: ${error.message.split('\n')[0]}`);
  if (!isMap(document.contents)) throw new UserError('standard input is no ResourceList', 'it has to be an object');
  return document;
}

function specOf(document: Document): JsonObject {
  const config = plain(document, 'functionConfig');
  if (!isJsonObject(config)) return {};
  if (config.spec === undefined && config.data !== undefined) {
    throw new UserError('the functionConfig has data', 'state the fields of the configuration file under spec');
  }
  if (config.spec === undefined) return {};
  if (!isJsonObject(config.spec)) throw new UserError('spec of the functionConfig is no object');
  return config.spec;
}

function plain(document: Document, key: string): Json | undefined {
  const node = document.get(key, true) as { toJS?(document: Document): Json } | undefined;
  return node?.toJS?.(document);
}

/** The file of an object, from the annotations that kustomize and kpt add. */
export function fileOfObject(manifests: readonly Manifest[]): (object: ObjectRef) => KrmFile | undefined {
  return (object) => {
    const found = manifests.find(
      ({ ref }) => ref.kind === object.kind && ref.name === object.name && ref.namespace === object.namespace,
    );
    const { annotations = {} } = found ?? {};
    const path = annotations['internal.config.kubernetes.io/path'] ?? annotations['config.kubernetes.io/path'];
    if (path === undefined) return undefined;
    const index = annotations['internal.config.kubernetes.io/index'] ?? annotations['config.kubernetes.io/index'];
    return { path, ...(index !== undefined && /^\d{1,6}$/.test(index) && { index: Number(index) }) };
  };
}
