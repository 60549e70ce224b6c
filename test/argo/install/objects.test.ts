import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { argoInstall } from '../../../src/argo/install';
import { INSTALLS } from './installs';

test.each(INSTALLS)('the install %s has the objects of the construct', (name, options) => {
  const file = join(__dirname, `../../constructs/__snapshots__/argo-rollouts-install-${name}.json`);
  expect(JSON.parse(JSON.stringify(argoInstall(options)))).toEqual(JSON.parse(readFileSync(file, 'utf8')));
});
