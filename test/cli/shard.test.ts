import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { cli, folderWith } from './fixture';
import { filesOfApplications } from './stacks';

let cwd = '';
beforeAll(() => {
  cwd = folderWith(filesOfApplications(10));
});

const run = (...args: string[]) => cli([...args, '--no-color'], { cwd });

const written = new Map<string, string[]>();

/** Writes the reports of all shards, as the machines of a matrix do. */
async function shards(command: 'check' | 'rehearse', total: number, ...options: string[]): Promise<string[]> {
  const key = [command, total, ...options].join(' ');
  const known = written.get(key);
  if (known !== undefined) return known;
  const names: string[] = [];
  written.set(key, names);
  for (let index = 1; index <= total; index++) {
    const name = `${written.size}-${command}-${index}-of-${total}.json`;
    await run(command, 'deploy', '--shard', `${index}/${total}`, '--format', 'json', '--output', name, ...options);
    names.push(name);
  }
  return names;
}

describe('--shard', () => {
  it('makes reports that merge into the one of a check without shards, in any format', async () => {
    const names = await shards('check', 3);
    for (const format of ['pretty', 'json', 'sarif', 'junit', 'github', 'markdown']) {
      const whole = await run('check', 'deploy', '--format', format);
      const merged = await run('report', 'merge', ...names, '--format', format);
      expect(merged).toEqual(whole);
      expect(whole.code).toBe(1);
      expect(whole.stdout).toContain('2000');
    }
  });

  it('makes reports that merge into the one of a rehearsal without shards, in any format', async () => {
    const names = await shards('rehearse', 2);
    for (const format of ['pretty', 'json', 'markdown', 'html']) {
      const whole = await run('rehearse', 'deploy', '--format', format);
      const merged = await run('report', 'merge', ...names, '--format', format);
      expect(merged).toEqual(whole);
    }
  });

  it('tells each finding in one shard only', async () => {
    const names = await shards('check', 3);
    const reports = names.map((name) => JSON.parse(readFileSync(join(cwd, name), 'utf8')));
    const found = reports.flatMap(({ findings }) => findings.map((finding: object) => JSON.stringify(finding)));
    expect(new Set(found).size).toBe(found.length);
    expect(reports.filter(({ findings }) => findings.length > 0)).toHaveLength(3);
    const whole = JSON.parse((await run('check', 'deploy', '--format', 'json')).stdout);
    expect(reports.reduce((sum, { objects }) => sum + objects, 0)).toBe(whole.objects);
  });

  it('is the whole check where there is one shard', async () => {
    const names = await shards('check', 1);
    expect(await run('report', 'merge', ...names)).toEqual(await run('check', 'deploy'));
  });

  it('weighs and accepts as a check without shards does', async () => {
    const baseline = join(cwd, 'baseline.json');
    await run('check', 'deploy', '--baseline', baseline, '--update-baseline', '--rule', 'alb-group-order-invalid');
    const options = ['--baseline', baseline, '--ignore', 'rehearsal-incomplete'];
    const whole = await run('check', 'deploy', ...options);
    const merged = await run('report', 'merge', ...(await shards('check', 2, ...options)));
    expect(merged.stdout).toEqual(whole.stdout);
    const shard = await run('check', 'deploy', '--shard', '2/2', ...options);
    expect(shard.stderr).not.toContain('are gone');
  });

  it('needs no Rollout of its own', async () => {
    const { code, stdout } = await run('rehearse', 'deploy', '--shard', '9/9', '--format', 'json');
    expect({ code, count: JSON.parse(stdout).rehearsals.length }).toEqual({ code: 0, count: 0 });
  });

  it.each([
    [['--shard', '0/2'], '--shard is "0/2"'],
    [['--shard', '3/2'], '--shard is "3/2"'],
    [['--shard', '2'], '--shard is "2"'],
    [['--shard', '1/2', '--baseline', 'b.json', '--update-baseline'], '--update-baseline and --shard'],
    [['--jobs', '0'], '--jobs is "0"'],
    [['--jobs', 'all'], '--jobs is "all"'],
  ])('refuses %j', async (options, message) => {
    const { code, stderr } = await run('check', 'deploy', ...options);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});

describe('report merge', () => {
  it('refuses what would hide findings', async () => {
    const [first, second] = await shards('check', 2);
    const merge = async (...names: string[]) => {
      const { code, stderr } = await run('report', 'merge', ...names);
      expect(code).toBe(2);
      return stderr;
    };
    expect(await merge(first!)).toContain('of 2 shards one is missing: 2/2');
    writeFileSync(join(cwd, 'again.json'), readFileSync(join(cwd, first!)));
    expect(await merge(first!, 'again.json', second!)).toContain('shard 1/2 is given twice');
    const [other] = await shards('check', 3);
    expect(await merge(first!, second!, other!)).toContain('is shard 1 of 3');
    const [played] = await shards('rehearse', 2);
    expect(await merge(first!, played!)).toContain('reports of two commands');
    const [old] = await shards('check', 2, '--kruise-version', '0.5.0');
    expect(await merge(old!, second!)).toContain('checked for different releases');
  });

  it('refuses a shard that was changed after it was written', async () => {
    const [first, second] = await shards('check', 2);
    const report = JSON.parse(readFileSync(join(cwd, first!), 'utf8'));
    expect(report.findings.length).toBeGreaterThan(0);
    const { digest: _digest, ...shard } = report.shard;
    for (const changed of [
      { ...report, findings: [] },
      { ...report, shard },
      { ...report, objects: 1 },
    ]) {
      writeFileSync(join(cwd, 'changed.json'), JSON.stringify(changed));
      const { code, stderr } = await run('report', 'merge', 'changed.json', second!);
      expect(code).toBe(2);
      expect(stderr).toContain('"changed.json" is not as shard 1/2 wrote it');
    }
  });

  it('refuses rehearsals whose parts are none', async () => {
    const report = JSON.parse((await run('rehearse', 'deploy', '--format', 'json')).stdout);
    const [rehearsal] = report.rehearsals;
    const [moment] = rehearsal.moments;
    for (const wrong of [
      { ...rehearsal, requests: [null] },
      { ...rehearsal, moments: [{}] },
      { ...rehearsal, moments: [{ ...moment, cells: [] }] },
      { ...rehearsal, loadBalancers: [] },
      { ...rehearsal, stories: [{ name: 'x', end: 'y', moments: [moment] }] },
      { ...rehearsal, rollout: { kind: 'Rollout', name: 'web', namespace: 5 } },
    ]) {
      writeFileSync(join(cwd, 'odd.json'), JSON.stringify({ ...report, rehearsals: [wrong] }));
      for (const format of ['pretty', 'html']) {
        const { code, stderr } = await run('report', 'merge', 'odd.json', '--format', format);
        expect(code).toBe(2);
        expect(stderr).toContain('"odd.json" is not a report');
      }
    }
  });

  it.each([
    ['nothing at all', ''],
    ['no report', '{"findings": 1}'],
    ['a finding without a message', '{"findings": [{"rule": "x"}], "suppressed": []}'],
    [
      'a place that is none',
      JSON.stringify({
        findings: [
          { rule: 'x', message: 'x', because: 'x', fix: 'x', docs: 'x', severity: 'error', source: { file: 1 } },
        ],
        suppressed: [],
      }),
    ],
    [
      'a path that is a number',
      JSON.stringify({
        findings: [{ rule: 'x', message: 'x', because: 'x', fix: 'x', docs: 'x', severity: 'error', path: 5 }],
        suppressed: [],
      }),
    ],
    [
      'more shards than there can be',
      '{"findings": [], "suppressed": [], "shard": {"index": 1, "total": 4294967295, "ifAll": [], "lines": {}}}',
    ],
    [
      'a line that no file has',
      '{"findings": [], "suppressed": [], "shard": {"index": 1, "total": 1, "ifAll": [], "lines": {"a": {"300000000": "x"}}}}',
    ],
    [
      'a shard that is none',
      '{"findings": [], "suppressed": [], "shard": {"index": 3, "total": 2, "ifAll": [], "lines": {}}}',
    ],
  ])('refuses %s', async (_what, text) => {
    writeFileSync(join(cwd, 'odd.json'), text);
    const { code, stderr } = await run('report', 'merge', 'odd.json');
    expect(code).toBe(2);
    expect(stderr).toContain('"odd.json" is not a report');
  });

  it('tells what several reports say once, and sums up', async () => {
    const one = folderWith(filesOfApplications(5));
    await cli(['check', 'deploy', '--format', 'json', '--output', 'a.json'], { cwd: one });
    writeFileSync(join(one, 'b.json'), readFileSync(join(one, 'a.json')));
    const merged = await cli(['report', 'merge', 'a.json', 'b.json', '--format', 'json'], { cwd: one });
    const [both, alone] = [merged.stdout, readFileSync(join(one, 'a.json'), 'utf8')].map((text) => JSON.parse(text));
    expect(both.findings).toEqual(alone.findings);
    expect(both.findings.length).toBeGreaterThan(0);
  });

  it('writes into a file, and ends with 1 for too many warnings', async () => {
    const good = folderWith({
      'a.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, annotations: {rollout-constructs.io/ignore: "alb-order: x"}}\n',
    });
    await cli(['check', 'a.yaml', '--format', 'json', '--output', 'a.json'], { cwd: good });
    const merge = (...args: string[]) => cli(['report', 'merge', 'a.json', '--no-color', ...args], { cwd: good });
    const counts = JSON.parse((await merge('--format', 'json')).stdout).summary;
    expect(counts).toMatchObject({ errors: 0, warnings: 1 });
    expect((await merge()).code).toBe(0);
    expect((await merge('--max-warnings', '0')).code).toBe(1);
    const { stdout } = await merge('--format', 'sarif', '--output', 'a.sarif');
    expect(stdout).toContain('1 warning');
    expect(JSON.parse(readFileSync(join(good, 'a.sarif'), 'utf8')).version).toBe('2.1.0');
  });
});
