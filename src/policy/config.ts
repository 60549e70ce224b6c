/** What Pulumi's configuration of a policy can hold in addition to its enforcement level. */
import type { PolicyConfigSchema } from '@pulumi/policy';
import type { PolicyConfigJSONSchema } from '@pulumi/policy/schema';
import type { Finding } from '../core/finding';

const accepted = {
  object: { type: 'string', description: 'Ingress/shop/web, or Ingress/web in any namespace.' },
  reason: { type: 'string', minLength: 1, description: 'Why the finding does not matter here.' },
} as const;

/** Of a policy that is one rule. */
export const ruleConfig: PolicyConfigSchema = {
  properties: {
    accepted: {
      type: 'array',
      description: 'Objects on which findings are accepted as they are.',
      items: { type: 'object', required: ['object', 'reason'], properties: accepted },
    },
  },
};

/** Of a policy that is many rules. */
export function sectionConfig(ids: readonly string[]): PolicyConfigSchema {
  const rule: PolicyConfigJSONSchema = { type: 'string', enum: [...ids] };
  return {
    properties: {
      except: { type: 'array', items: rule, description: 'Rules whose findings are left out.' },
      include: {
        type: 'array',
        items: rule,
        description: 'Rules to report here, whatever the severity of the finding.',
      },
      accepted: {
        type: 'array',
        description: 'Objects on which findings of a rule are accepted as they are.',
        items: { type: 'object', required: ['rule', 'object', 'reason'], properties: { rule, ...accepted } },
      },
    },
  };
}

/** Whether the configuration accepts a finding, with a reason. */
export function isAccepted({ rule, object }: Finding, config: object): boolean {
  if (object === undefined) return false;
  const { kind, namespace = 'default', name } = object;
  const names: readonly unknown[] = [`${kind}/${name}`, `${kind}/${namespace}/${name}`];
  return listIn(config, 'accepted').some((entry) => {
    const { rule: of = rule, object: where, reason } = Object(entry) as Record<string, unknown>;
    return of === rule && typeof reason === 'string' && reason.trim() !== '' && names.includes(where);
  });
}

/** A list in the configuration; empty where there is none. */
export function listIn(config: object, key: string): readonly unknown[] {
  const value = (config as Record<string, unknown>)[key];
  return Array.isArray(value) ? value : [];
}
