/** What the page says about manifests is what the command line says. */
import { describe, expect, it } from 'vitest';
import { Playground } from '../../src/playground/answer';
import { cli, folderWith } from '../cli/fixture';
import { examples } from './examples';

const of = (text: string, requests: readonly string[] = []) => new Playground({ text, requests });

/** The commands with the manifests in the file that the page names. */
async function run(args: readonly string[], text: string) {
  const folder = folderWith({ 'manifests.yaml': text });
  const here = process.cwd();
  process.chdir(folder);
  try {
    return await cli(args, { cwd: process.cwd() });
  } finally {
    process.chdir(here);
  }
}

const mainOf = (html: string) => /<main[\s\S]*<\/main>/.exec(html)?.[0];

describe.each(examples)('the example $name', ({ text }) => {
  it('has the findings of check', async () => {
    const { stdout } = await run(['check', 'manifests.yaml', '--format', 'json', '--no-config', '--jobs', '1'], text);
    const { findings } = JSON.parse(stdout) as { findings: { rule: string; message: string; source?: object }[] };
    const shown = of(text).checked().findings;
    expect(shown.map(({ rule, message, line }) => ({ rule, message, line }))).toEqual(
      findings.map(({ rule, message, source }) => ({ rule, message, line: (source as { line?: number })?.line })),
    );
  });

  it('has the picture of rehearse, or of env preview', async () => {
    const pictures = of(text).pictures();
    for (const { title, html } of pictures) {
      const args =
        title === 'Rehearsal'
          ? ['rehearse', 'manifests.yaml', '--stories', 'all', '--format', 'html', '--no-config', '--jobs', '1']
          : ['env', 'preview', 'manifests.yaml', '--format', 'html'];
      const { stdout } = await run(args, text);
      expect(mainOf(html)).toBe(mainOf(stdout));
    }
    expect(pictures.length).toBeGreaterThan(0);
  });

  it('answers requests as route does', async () => {
    const request = 'https://shop.example.com/ -H "user-agent: pc"';
    const { stdout, stderr } = await run(['route', 'manifests.yaml', '--request', request], text);
    const [answer] = of(text, [request]).routed();
    if (answer!.problem === undefined) expect(answer!.text).toBe(stdout);
    else expect(stderr).toContain(answer!.problem);
  });
});

describe('the playground', () => {
  it('has an example of each system', () => {
    const texts = examples.map(({ text }) => text).join('\n');
    for (const api of ['rollouts.kruise.io', 'argoproj.io', 'env.alibaba.com', 'aliyun-alb', 'ingressClassName: alb'])
      expect(texts).toContain(api);
    expect(examples.length).toBe(5);
  });

  it.each(['', '\u0000', '{{ .Values }}', 'a: [', '- 1', 'kind: Rollout\n'.repeat(3), '&a [*a, *a]'])(
    'has an answer for %j',
    (text) => {
      const playground = of(text, ['nonsense', 'https://x.example/']);
      expect(playground.checked().summary).not.toBe('');
      expect(playground.routed().map(({ problem }) => problem)).toEqual([expect.any(String), expect.any(String)]);
      expect(playground.pictures()[0]!.html).toContain('<main');
    },
  );

  it('ends within its budget, and says what it did not look at', () => {
    // Its time began in 1970.
    const playground = new Playground({ text: examples[2]!.text, requests: [] }, () => 0);
    expect(playground.checked().findings.map(({ rule }) => rule)).toContain('budget-spent');
  });

  it('escapes what manifests say, in every picture', () => {
    const attack = '"><img src=x onerror="window.attacked=1">';
    for (const { text } of examples) {
      const attacked = text
        .replaceAll('shop.example.com', JSON.stringify(attack))
        .replaceAll('name: web', `name: '${attack}'`);
      for (const { html } of of(attacked).pictures()) expect(html).not.toContain('<img');
    }
  });
});
