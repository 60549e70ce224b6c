import { defineRules } from '../core/rule';

/** Rules on Outputs in the options of components. */
export const pulumiRules = defineRules({
  'pulumi-output-in-text': {
    severity: 'error',
    title: 'an Output was written into a text',
    because:
      'a template string does not wait for an Output: what is written is the text of a warning, which then is a host, an ' +
      'annotation or a line of a script in the cluster',
    fix: 'write pulumi.interpolate, or output.apply((value) => …), and give that as the value',
    basis: 'run',
    sources: ['https://www.pulumi.com/docs/iac/concepts/inputs-outputs/'],
    failing: { language: 'typescript', text: `rules: [{ host: \`shop.\${zone.name}\` }]` },
    corrected: { language: 'typescript', text: `rules: [{ host: pulumi.interpolate\`shop.\${zone.name}\` }]` },
  },
  'pulumi-value-refused': {
    severity: 'error',
    title: 'a component does not take the value that an Output has',
    because: 'the value was not there when the program ran, and what was made with it does not work',
    fix: 'correct the value; where it is known before the program runs, give it as a plain string, which is checked at once',
    basis: 'run',
    sources: ['https://www.pulumi.com/docs/iac/concepts/inputs-outputs/'],
    failing: {
      language: 'typescript',
      text: "new KruiseRolloutInstall('kruise', { image: { tag: pulumi.output('no tag') } });",
    },
    corrected: {
      language: 'typescript',
      text: "new KruiseRolloutInstall('kruise', { image: { tag: pulumi.output('v0.6.2') } });",
    },
  },
  'pulumi-value-decides-structure': {
    severity: 'error',
    title: 'the value of an Output decides how objects are built',
    because:
      'objects are built when the program runs, at which time the value is not there; with it they would have been built ' +
      'otherwise',
    fix: 'give the value as a plain string, or the same Output wherever the same is meant',
    basis: 'run',
    sources: ['https://www.pulumi.com/docs/iac/concepts/inputs-outputs/'],
    failing: {
      language: 'typescript',
      text: "ingressClass: pulumi.output('alb') // only the class `alb` goes without an annotation",
    },
    corrected: { language: 'typescript', text: "ingressClass: 'alb'" },
  },
});
