import { KruiseRolloutVersion } from '../kruise/version';
import { oneOf } from './command';

/** The option that says which release of the controller to behave as. */
export const KRUISE_VERSION_OPTION = { type: 'string', default: '0.6' } as const;

/** The newest known patch of the release that the option names. */
export function kruiseVersion(value: string): KruiseRolloutVersion {
  const minor = oneOf('--kruise-version', value, ['0.5', '0.6']);
  return KruiseRolloutVersion.ALL.filter(({ version }) => version.startsWith(`${minor}.`)).at(-1)!;
}
