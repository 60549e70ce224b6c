import type { Json } from '../../core/json';
import { asText } from '../../core/json';
import type { Path } from '../../core/path';
import type { PartProblem } from '../labels';

const DNS_LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** A problem of the pod template. */
export function podProblem(path: Path, message: string, text = message): PartProblem {
  return { message, path, text: text === '' ? 'is missing' : text };
}

/** Whether a name is a DNS label, which containers and volumes require. */
export function isDnsLabel(name: string): boolean {
  return name.length <= 63 && DNS_LABEL.test(name);
}

/** Whether a name is a DNS subdomain, which object names require. */
export function isSubdomain(name: string): boolean {
  return name.length <= 253 && SUBDOMAIN.test(name);
}

/** Reports a value that Kubernetes does not support; an empty value gets a default. */
export function notSupported(value: Json | undefined, known: readonly string[], path: Path): PartProblem[] {
  const text = asText(value);
  if (text === '' || known.includes(text)) return [];
  const message = `supported values: ${known.map((one) => `"${one}"`).join(', ')}`;
  return [podProblem(path, message, `"${text}" is not one of ${known.join(', ')}`)];
}
