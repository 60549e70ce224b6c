'use strict';
// Pulumi runs this in a process of its own, from this folder, whose package.json has the version of the pack.
const { PolicyPack } = require('@pulumi/policy');
const { policies } = require('../lib/bundle/policy');

new PolicyPack('rollout-constructs', {
  displayName: 'rollout-constructs',
  description: 'Progressive delivery on Kubernetes, checked and rehearsed before anything is applied.',
  policies,
});
