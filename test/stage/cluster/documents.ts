import { parseAllDocuments } from 'yaml';
import type { KubernetesObject } from './api';

/** The objects of a text in YAML. */
export function objectsIn(text: string): KubernetesObject[] {
  return parseAllDocuments(text).flatMap((document) => document.toJS() ?? []);
}
