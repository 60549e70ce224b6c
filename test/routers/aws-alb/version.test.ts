import { describe, expect, it } from 'vitest';
import { AwsLoadBalancerControllerVersion as Version } from '../../../src/routers/aws-alb/version';

describe('AwsLoadBalancerControllerVersion', () => {
  it.each([
    ['2.4.7', false],
    ['2.13.4', false],
    ['2.14.0', false],
    ['2.14.1', true],
    ['v2.14.1', true],
    ['2.15.0', true],
    ['2.100.0', true],
    ['3.0.0', true],
    ['3.5.0-rc.1', true],
  ])('%s knows regexValues: %s', (version, regexValues) => {
    expect(Version.of(version).facts).toMatchObject({ regexValues, transforms: regexValues });
    expect(String(Version.of(version))).toBe(`v${version.replace(/^v/, '')}`);
  });

  it.each([
    ['2.14.1', false],
    ['2.15.0', true],
    ['3.5.0', true],
  ])('%s reads use-regex-path-match and jwt-validation: %s', (version, reads) => {
    expect(Version.of(version).facts).toMatchObject({ regexPaths: reads, jwtValidation: reads });
  });

  it('takes facts of a build of one’s own', () => {
    expect(Version.of('2.13.4', { regexValues: true }).facts.regexValues).toBe(true);
  });

  it.each(['2.14', 'latest', '', '2.14.1.0'])('refuses "%s"', (version) => {
    expect(() => Version.of(version)).toThrow(
      `AWS Load Balancer Controller version "${version}" is not a version: write it as in "2.14.1"`,
    );
  });

  it('has the newest one as the default', () => {
    expect(Version.LATEST.version).toBe('3.5.0');
  });
});
