/** The ConfigMap of routing scripts. */
import { asObject, type JsonObject, stringsOf, textOf } from '../../core/json';
import type { Manifest } from '../../core/manifest';
import { LUA_CONFIG_MAP_NAME } from '../../kruise/api';
import { CUSTOM_SCRIPT_KEY_PREFIX, DEFAULT_CONTROLLER_NAMESPACE } from '../../kruise/api/names';
import { targetOfName } from '../../kruise/scripts/config-map';
import { packagedScripts } from '../../kruise/scripts/library';
import { type Code, call, list, maybe, object, value } from '../code';
import { type Recognised, statementFor } from './context';

/** `kruise-rollout-configuration`: scripts of the library by name, others inline. */
export function recogniseLuaConfigMap(manifest: Manifest): Recognised | undefined {
  if (manifest.groupKind !== 'ConfigMap' || manifest.name !== LUA_CONFIG_MAP_NAME) return undefined;
  const { labels, annotations } = asObject(manifest.object.metadata);
  const data = asObject(manifest.object.data);
  const unknown = Object.keys(data).find((key) => nameOfKey(key) === undefined || textOf(data[key]) === undefined);
  if (unknown !== undefined) return { refusal: `data["${unknown}"] is no routing script` };
  const { namespace } = manifest;
  return [
    statementFor(
      manifest,
      'LuaRoutingConfigMap',
      object({
        scripts: list(scriptCodes(data)),
        namespace: namespace === DEFAULT_CONTROLLER_NAMESPACE ? undefined : maybe(namespace),
        labels: marks(labels),
        annotations: marks(annotations),
      }),
    ),
  ];
}

function marks(given: JsonObject[string] | undefined): Code | undefined {
  return given === undefined || given === null ? undefined : value({ ...stringsOf(given) });
}

/** `ingress.aws-alb`, `HTTPProxy.projectcontour.io`; undefined for a key that the controller never looks up. */
function nameOfKey(key: string): string | undefined {
  const name = key.startsWith(CUSTOM_SCRIPT_KEY_PREFIX) ? key.slice(CUSTOM_SCRIPT_KEY_PREFIX.length) : '';
  return targetOfName(name) === undefined ? undefined : name;
}

function scriptCodes(data: JsonObject): Code[] {
  const scripts = Object.entries(data).map(([key, source]) => ({ name: nameOfKey(key)!, source: String(source) }));
  const shipped = new Map(packagedScripts().scripts.map(({ name, source, target }) => [name, { source, target }]));
  const isShipped = ({ name, source }: (typeof scripts)[number]) => shipped.get(name)?.source === source;
  const short = ({ name }: (typeof scripts)[number]) => {
    const target = shipped.get(name)!.target;
    return target.provider === 'ingress' ? target.classType : name;
  };
  const known = scripts.filter(isShipped).map((script) => value(short(script)));
  const others = scripts.filter((script) => !isShipped(script));
  return [
    ...(known.length === 0 ? [] : [call('LuaScripts.fromLibrary', ...known)]),
    ...others.map(({ name, source }) => call('LuaScripts.inline', value(name), value(source))),
  ];
}
