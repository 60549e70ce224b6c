import type { CheckConfig } from '../settings/config';
import type { ValidationContext } from './context';

/**
 * Properties of the plugin, in `cdk8s.yaml`: the fields of the configuration file of `rollout-constructs check`, except
 * `files`. Properties take precedence over the file.
 */
export interface RolloutConstructsValidationProps extends Omit<CheckConfig, 'files' | 'clusters'> {
  /**
   * The configuration file, from where cdk8s runs; `false` for none.
   * @default - rollout-constructs.config.{json,yaml,ts} there or above, if there is one
   */
  readonly config?: string | false;
}

/**
 * The plugin for cdk8s-cli: `cdk8s synth` checks and rehearses all manifests that it has written, whichever constructs
 * made them, and fails with what it finds.
 *
 * @example
 * // cdk8s.yaml
 * // validations:
 * //   - package: ./node_modules/rollout-constructs/lib/validation
 * //     version: 1.0.0
 * //     class: RolloutConstructsValidation
 * //     properties: { maxWarnings: 0, kruiseVersion: '0.6' }
 */
export class RolloutConstructsValidation {
  constructor(private readonly properties: RolloutConstructsValidationProps = {}) {}

  /** Called by cdk8s-cli after the synth. */
  async validate(context: ValidationContext): Promise<void> {
    // Loaded here: importing the constructs imports this class too.
    const { validateManifests } = require('./validate') as typeof import('./validate');
    const { UserError } = require('../settings/user-error') as typeof import('../settings/user-error');
    try {
      validateManifests(context, this.properties);
    } catch (error) {
      throw error instanceof UserError ? withoutStack(error) : error;
    }
  }
}

/** cdk8s-cli prints the stack of an error, which does not help with wrong properties. */
function withoutStack({ message, hint }: { readonly message: string; readonly hint?: string | undefined }): Error {
  const error = new Error(message);
  error.stack = `rollout-constructs: ${message}${hint === undefined ? '' : `\n  ${hint}`}`;
  return error;
}
