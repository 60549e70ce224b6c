/** The rule about a run that ends before all is rehearsed. */
import { defineRules } from '../core';

export const budgetRules = defineRules({
  'rehearsal-budget-spent': {
    severity: 'error',
    title: 'the time or the memory of the run was spent before this Rollout',
    because: 'a run ends within its budget whatever it is given, and what it did not look at may be wrong',
    fix: 'give it more (--budget 10m,4GB), divide the work (--shard 1/4), or look for what takes so long',
    basis: 'run',
    sources: ['docs/security.md'],
    failing: { language: 'typescript', text: "rehearse(world, { budget: budgetOf('1s') })" },
    corrected: { language: 'typescript', text: "rehearse(world, { budget: budgetOf('10m') })" },
  },
});
