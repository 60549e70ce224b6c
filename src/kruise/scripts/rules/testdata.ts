import { defineRules } from '../../../core/rule';
import { testdata, testdataByWeight } from './examples';
import { sources } from './sources';

/** Rules for the testdata of a script. */
export const testdataRules = defineRules({
  'lua-testdata-missing': {
    severity: 'warning',
    title: 'the script has no testdata',
    because:
      'checks find mistakes that no script should make; only testdata defines what this script should do. Without it, a change in routing goes unnoticed.',
    fix: 'add a case in testdata/ next to the script, and run "rollout-constructs test --update" to fill in the expected result',
    basis: 'documented',
    sources: [sources.customTest],
    failing: { language: 'yaml', text: '# lua_configuration/traefik.io/TraefikService/testdata/ is empty\n' },
    corrected: testdata,
  },
  'lua-testdata-scenario-missing': {
    severity: 'warning',
    title: 'the testdata has no case for a required scenario',
    because:
      'upstream requires three scenarios for every script: headers of one match (all must agree), several matches (any may agree), and a weight. Each takes a different path through the script.',
    fix: 'add a step for the scenario',
    basis: 'documented',
    sources: [sources.customTest],
    failing: testdataByWeight,
    corrected: testdata,
  },
});
