import { isJsonObject, type Json, type Manifest, ownValue } from '../../core';
import type { RouteKind } from '../kinds';
import type { RequestExtras } from '../request-candidates';
import { sampleOf, sampleOfGlob } from '../samples';
import { listOf, textOf, textsOf } from '../values';
import { annotationKey } from './alb-annotations';
import { INGRESS_READ, ingressCandidates } from './reads';

/** Ingresses with conditions and actions in annotations, as both AWS and Alibaba Cloud have them. */
export const ALB_INGRESS: RouteKind = {
  ...INGRESS_READ,
  candidatesOf: (manifest) => ingressCandidates(manifest, conditionSamples),
  namesIn: ({ annotations }) =>
    Object.entries(annotations).flatMap(([key, text]) => (key.includes('/actions.') ? [text] : [])),
};

/** The parts of a request that meets the conditions of a backend. */
function conditionSamples({ annotations }: Manifest, service: string): RequestExtras | undefined {
  const conditions = parsed(annotations[annotationKey(`conditions.${service}`)]);
  if (!Array.isArray(conditions) || conditions.length === 0) return undefined;
  // Maps, because names such as __proto__ are ordinary ones.
  const headers = new Map<string, string>();
  const query = new Map<string, string>();
  const extras: { method?: string; sourceIp?: string } = {};
  for (const condition of conditions as Json[]) {
    const config = configOf(condition);
    const sample = sampleOfValues(config);
    const name = textOf(ownValue(config, 'httpHeaderName'));
    switch (textOf(ownValue(condition, 'field'))) {
      case 'http-header':
        if (name !== undefined && sample !== undefined) headers.set(name, sample);
        break;
      case 'query-string':
        for (const pair of listOf(ownValue(config, 'values')).slice(0, 1)) {
          query.set(textOf(ownValue(pair, 'key')) ?? 'any', sampleOfGlob(textOf(ownValue(pair, 'value')) ?? ''));
        }
        break;
      case 'http-request-method':
        if (sample !== undefined) extras.method = sample;
        break;
      case 'source-ip':
        if (sample !== undefined) extras.sourceIp = sample.replace(/\/\d+$/, '');
        break;
    }
  }
  return {
    ...extras,
    ...(headers.size > 0 ? { headers: Object.fromEntries(headers) } : {}),
    ...(query.size > 0 ? { query: Object.fromEntries(query) } : {}),
  };
}

/** `httpHeaderConfig`, `queryStringConfig` and so on. */
function configOf(condition: Json): Json | undefined {
  if (!isJsonObject(condition)) return undefined;
  return Object.entries(condition).find(([key]) => /config$/i.test(key))?.[1];
}

/** A text that matches the values of a condition. */
function sampleOfValues(config: Json | undefined): string | undefined {
  const [value] = textsOf(ownValue(config, 'values')).map(sampleOfGlob);
  const [regex] = textsOf(ownValue(config, 'regexValues')).flatMap((expression) => sampleOf(expression) ?? []);
  return value ?? regex;
}

function parsed(annotation: string | undefined): unknown {
  try {
    return annotation === undefined ? undefined : JSON.parse(annotation);
  } catch {
    return undefined;
  }
}
