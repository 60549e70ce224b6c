import { accessTypes } from './access';
import { autoscalingTypes } from './autoscaling';
import { configTypes } from './config';
import type { TypeCheck } from './field-checks';
import { ingressTypes } from './ingresses';
import { podTypes } from './pods';
import { serviceTypes } from './services';
import { workloadTypes } from './workloads';

/** What Kubernetes asks of its types beyond their schema, by the name of the type. */
export const TYPE_CHECKS: Readonly<Record<string, TypeCheck | undefined>> = {
  ...accessTypes,
  ...autoscalingTypes,
  ...configTypes,
  ...ingressTypes,
  ...podTypes,
  ...serviceTypes,
  ...workloadTypes,
};
