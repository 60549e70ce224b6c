import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { apiSchemas, apiSources, committedSchemas } from '../../scripts/write-api-schemas';
import { formatPath } from '../../src/core/path';
import { checkObject } from '../../src/core/schema';
import { virtualEnvironmentSchema } from '../../src/ktenv/api/schema';
import { ktenvCrd } from '../../src/ktenv/crds';

const UPSTREAM = join(__dirname, '..', '..', '..', 'shared', 'upstream', 'ktenv', 'crd.yaml');

function check(spec: unknown) {
  const metadata = { name: 'env', namespace: 'shop' };
  const object = { apiVersion: 'env.alibaba.com/v1alpha2', kind: 'VirtualEnvironment', metadata, spec };
  const { errors, unknown } = checkObject(object as never, virtualEnvironmentSchema());
  return [...errors.map(({ path }) => formatPath(path)), ...unknown.map(({ path }) => `unknown ${formatPath(path)}`)];
}

/** A CRD without the words in it. */
function bare(crd: unknown): unknown {
  return JSON.parse(JSON.stringify(crd), (key, value) => (key === 'description' ? undefined : value));
}

describe('the API of KtEnv', () => {
  it('has the schemas of its types (npm run schemas)', () => {
    expect(apiSchemas(apiSources('ktenv')) === committedSchemas('ktenv')).toBe(true);
  });

  it('takes every field', () => {
    const aliases = [
      { name: 'A', pattern: '' },
      { name: 'B', pattern: 'x=(@)', placeholder: '(@)' },
    ];
    const envHeader = { name: 'X-Env', autoInject: true, aliases };
    expect(check({ envHeader, envLabel: { name: 'env', splitter: '-', defaultSubset: 'dev' } })).toEqual([]);
    expect(check({})).toEqual([]);
  });

  it.each([
    [{ envLabel: { splitter: '..' } }, 'spec.envLabel.splitter'],
    [{ envLabel: { splitter: '' } }, 'spec.envLabel.splitter'],
    [{ envLabel: { name: '' } }, 'spec.envLabel.name'],
    [{ envLabel: { defaultSubset: '' } }, 'spec.envLabel.defaultSubset'],
    [{ envHeader: { name: '' } }, 'spec.envHeader.name'],
    [{ envHeader: { aliases: [{ name: 'A' }] } }, 'spec.envHeader.aliases[0].pattern'],
    [{ envHeader: { autoinject: true } }, 'unknown spec.envHeader.autoinject'],
  ])('refuses %j', (spec, problem) => {
    const problems = check(spec);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(problem);
  });

  it('explains every field in the CRD', () => {
    const words = JSON.stringify(ktenvCrd()).match(/"description"/g) ?? [];
    expect(words.length).toBeGreaterThanOrEqual(14);
    expect(ktenvCrd().metadata).toEqual({ name: 'virtualenvironments.env.alibaba.com' });
  });

  it.runIf(existsSync(UPSTREAM))('makes the same CRD as upstream, apart from the words in it', () => {
    expect(bare(ktenvCrd())).toEqual(bare(parse(readFileSync(UPSTREAM, 'utf8'))));
  });
});
