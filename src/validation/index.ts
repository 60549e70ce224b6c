/** The plugin for cdk8s-cli. */

export type {
  RecordedConstruct,
  ValidationContext,
  ValidationReport,
  ViolatingResource,
  Violation,
} from './context';
export { RolloutConstructsValidation, type RolloutConstructsValidationProps } from './plugin';
