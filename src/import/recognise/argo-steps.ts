/** Steps of canaries of Argo Rollouts, with the helpers that write them. */
import { addTo } from '../../core/grouped';
import { asList, asObject, type Json, textOf } from '../../core/json';
import { type Code, call, value } from '../code';

/** One step, by the helper that says what it does; as a plain object where none fits. */
export function argoStepCode(json: Json): Code {
  const [[field, given] = ['', null], ...others] = Object.entries(asObject(json));
  if (others.length > 0) return value(json);
  const { duration, ...rest } = asObject(given);
  switch (field) {
    case 'setWeight':
      return call('ArgoStep.setWeight', value(given));
    case 'pause':
      if (given === null || Object.keys(rest).length > 0) return value(json);
      return call('ArgoStep.pause', ...(duration === undefined ? [] : [value(duration)]));
    case 'setCanaryScale':
      return call('ArgoStep.setCanaryScale', value(given));
    case 'setHeaderRoute':
      return headerRouteCode(given) ?? value(json);
    default:
      return value(json);
  }
}

function headerRouteCode(json: Json): Code | undefined {
  const { name, match, ...others } = asObject(json);
  if (textOf(name) === undefined || Object.keys(others).length > 0) return undefined;
  if (match === undefined) return call('ArgoStep.removeHeaderRoute', value(name!));
  const headers = asList(match).map((one) => {
    const { headerName, headerValue } = asObject(one);
    return [textOf(headerName) ?? '', textOf(asObject(headerValue).exact) ?? ''] as const;
  });
  const values = new Map<string, string[]>();
  for (const [header, text] of headers) addTo(values, header, text);
  // The helper writes the values of a header one after the other. A key that is a number would come first.
  const isWritten =
    JSON.stringify(headers) === JSON.stringify([...values].flatMap(([key, all]) => all.map((one) => [key, one])));
  const isOrdered = [...values.keys()].every((key) => !/^\d+$/.test(key));
  if (!isWritten || !isOrdered || headers.length === 0) return undefined;
  const byName = [...values].map(([key, all]) => [key, all.length === 1 ? all[0]! : all] as const);
  return call('ArgoStep.setHeaderRoute', value(name!), value(Object.fromEntries(byName)));
}
