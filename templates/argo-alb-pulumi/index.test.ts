import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as pulumi from '@pulumi/pulumi';
import { stackFindings } from 'rollout-constructs/pulumi';

/** Findings that this team has read and accepts. Any other one fails the test. */
const KNOWN = ['rehearsal-abort-flaps', 'rehearsal-target-group-empty'];

before(async () => {
  pulumi.runtime.setAllConfig({
    'aws:region': 'eu-west-1',
    '{{name}}:oidcProviderArn': 'arn:aws:iam::111122223333:oidc-provider/oidc.eks.eu-west-1.amazonaws.com/id/0123ABCD',
    '{{name}}:host': 'shop.example.com',
    '{{name}}:certificateArn': 'arn:aws:acm:eu-west-1:111122223333:certificate/1',
  });
  // Every resource is there at once, as the program asks for it. AWS adds an ARN.
  await pulumi.runtime.setMocks(
    {
      newResource: ({ name, inputs }) => ({
        id: `${name}-id`,
        state: { arn: `arn:aws:iam::111122223333:role/${name}`, ...inputs },
      }),
      call: ({ inputs }) => inputs,
    },
    '{{name}}',
  );
  await import('./index');
});

test('every request goes where the steps say', async () => {
  const findings = (await stackFindings()).filter(({ rule }) => !KNOWN.includes(rule));
  assert.deepEqual(
    findings.map(({ severity, rule, message }) => `${severity}[${rule}]: ${message}`),
    [],
  );
});
