import type { JsonObject } from '../../core/json';
import { TAG_VARIABLE } from '../api/names';
import type { Environment } from './environment';

/**
 * The filter that the EnvoyFilter refers to in the outbound listeners of a sidecar. Envoy removed this name, and Istio
 * translates it only up to 1.18.
 */
export const CONNECTION_MANAGER = 'envoy.http_connection_manager';

/** The EnvoyFilter for `autoInject`. It has the name of the VirtualEnvironment and applies to the whole namespace. */
export function envoyFilter(name: string, namespace: string, { header, label }: Environment): JsonObject {
  return {
    apiVersion: 'networking.istio.io/v1alpha3',
    kind: 'EnvoyFilter',
    metadata: { name, namespace, labels: { envLabel: label, envHeader: header } },
    spec: {
      configPatches: [
        {
          applyTo: 'HTTP_FILTER',
          match: {
            context: 'SIDECAR_OUTBOUND',
            listener: { filterChain: { filter: { name: CONNECTION_MANAGER } } },
          },
          patch: {
            operation: 'INSERT_BEFORE',
            value: {
              name: 'virtual.environment.lua',
              typed_config: {
                '@type': 'type.googleapis.com/envoy.extensions.filters.http.lua.v3.Lua',
                inlineCode: script(header),
              },
            },
          },
        },
      ],
    },
  };
}

/** The script of the filter, without upstream's diagnostics, which only ever report "not found". */
function script(header: string): string {
  const name = JSON.stringify(header);
  return [
    `local tag = os.getenv("${TAG_VARIABLE}")`,
    'function envoy_on_request(request)',
    '  local headers = request:headers()',
    `  if tag ~= nil and headers:get(${name}) == nil then`,
    `    headers:add(${name}, tag)`,
    '  end',
    'end',
  ].join('\n');
}
