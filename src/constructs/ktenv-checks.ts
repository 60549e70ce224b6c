import type { KtEnvCheckOptions } from '../ktenv/rules';
import type { CheckProps } from './checks';

/** What every construct of KtEnv takes. */
export interface KtEnvCheckProps
  extends Pick<CheckProps, 'external' | 'suppressions' | 'warnings' | 'kubernetesVersion'>,
    Pick<KtEnvCheckOptions, 'istioVersion'> {}
