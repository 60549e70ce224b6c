import { type ApiObject, Yaml } from 'cdk8s';
import { Construct } from 'constructs';
import type { Finding } from '../core/finding';
import { findingsFor } from './checks';

/** A construct with one main object, which is checked together with its stack. */
export abstract class CheckedObject extends Construct {
  /** The object itself. */
  abstract readonly apiObject: ApiObject;

  /** Name of the object. */
  get name(): string {
    return this.apiObject.name;
  }

  /** API version of the object. */
  get apiVersion(): string {
    return this.apiObject.apiVersion;
  }

  /** Kind of the object. */
  get kind(): string {
    return this.apiObject.kind;
  }

  /** The object as YAML. */
  toYaml(): string {
    return Yaml.stringify(this.apiObject.toJson());
  }

  /** The findings in its objects in the app as it is now, without suppressed ones; errors first. */
  findings(): readonly Finding[] {
    return findingsFor(this);
  }
}
