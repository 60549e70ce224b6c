/** The flag that limits the time and the memory of a run. */
import { Budget } from '../core/budget';
import { UserError } from '../settings/user-error';
import { usedMemory } from './memory';

export const BUDGET_OPTIONS = { budget: { type: 'string', default: '60s,1GB' } } as const;

export const BUDGET_HELP = `  --budget <time,memory>   when it is spent, report what was not looked at, and end with 2 (default 60s,1GB; none for no limit)`;

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };
const SIZES: Readonly<Record<string, number>> = { MB: 1024 ** 2, GB: 1024 ** 3 };

/** Reads `--budget`: `60s,1GB`, `10m`, `4GB`, or `none`. The run begins now. */
export function readBudget(text: string): Budget | undefined {
  if (text === 'none') return undefined;
  const limits = { seconds: Number.POSITIVE_INFINITY, memory: Number.POSITIVE_INFINITY };
  for (const part of text.split(',')) {
    const [, amount, unit = ''] = /^(\d{1,6}(?:\.\d{1,3})?)(s|m|h|MB|GB)$/.exec(part.trim()) ?? [];
    if (amount === undefined || Number(amount) === 0) {
      throw new UserError(`--budget is "${text}"`, 'write a time, a memory or both, as in 60s,1GB; or none');
    }
    if (unit in UNITS) limits.seconds = Number(amount) * UNITS[unit]!;
    else limits.memory = Number(amount) * SIZES[unit]!;
  }
  return new Budget({ ...limits, began: Date.now() }, usedMemory);
}
