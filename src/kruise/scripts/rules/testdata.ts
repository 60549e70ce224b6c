import { defineRules } from '../../../core/rule';
import { testdata, testdataByWeight } from './examples';
import { sources } from './sources';

/** What the testdata beside a script has to cover. */
export const testdataRules = defineRules({
  'lua-testdata-missing': {
    severity: 'warning',
    title: 'the script has no testdata',
    because:
      'checks find what no script should do; only testdata says what this one should do. Without it, a change that routes otherwise goes unnoticed.',
    fix: 'write a case in testdata/ beside the script, and let "rollout-constructs test --update" fill in what is expected',
    basis: 'documented',
    sources: [sources.customTest],
    failing: { language: 'yaml', text: '# lua_configuration/traefik.io/TraefikService/testdata/ is empty\n' },
    corrected: testdata,
  },
  'lua-testdata-scenario-missing': {
    severity: 'warning',
    title: 'the testdata lacks a scenario',
    because:
      'upstream asks for three scenarios of every script: headers of one match (all must agree), several matches (any may agree), and a weight. Each takes another path through the script.',
    fix: 'add a step for the scenario',
    basis: 'documented',
    sources: [sources.customTest],
    failing: testdataByWeight,
    corrected: testdata,
  },
});
