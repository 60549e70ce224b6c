/** Reports and the command line show Rollouts of Argo beside those of Kruise. */
import { describe, expect, it } from 'vitest';
import { cli } from '../../cli/fixture';
import { blueGreen, canary, HEADER, ingress, path } from './stack';

const good = canary(HEADER);
const bad = canary({ ...HEADER, ingress: ingress({ 'shop.example.com': [path('web-stable', '/', 'Prefix')] }) });

describe('rehearse on the command line', () => {
  it('shows a canary of Argo, and ends with 0 when all goes as declared', async () => {
    const { code, stdout, stderr } = await cli(['rehearse', '-'], { stdin: good });

    expect(stderr).toBe('');
    expect(stdout).toContain('✓ Rollout shop/web: canary of Argo Rollouts, 7 steps, ');
    expect(stdout).toMatch(/steps\[3\]: setWeight: 20%, all of x-beta: \S+ +█···· 20% +█████ 100%/);
    expect(code).toBe(0);
  });

  it('names the line of the step and of the rule that took the request, and ends with 1', async () => {
    const { code, stdout } = await cli(['rehearse', '-'], { stdin: bad });

    expect(stdout).toContain(
      'error[rehearsal-canary-gets-nothing]: at steps[1] none of the requests reaches the canary, not 100%',
    );
    expect(stdout).toMatch(/--> <stdin>:\d+:\d+/);
    expect(stdout).not.toMatch(/kruise|script/i);
    expect(code).toBe(1);
  });

  it('shows a blue-green release, which has no steps', async () => {
    const { code, stdout } = await cli(['rehearse', '-'], { stdin: blueGreen() });

    expect(stdout).toContain('✓ Rollout shop/web: blue-green of Argo Rollouts, 3 requests on aws-alb "shop/web"');
    expect(stdout).toMatch(/prepare: the new pods are ready +····· 0% +█████ 100%/);
    expect(code).toBe(0);
  });

  it('has the style in JSON, Markdown and HTML', async () => {
    const json = await cli(['rehearse', '-', '--format', 'json'], { stdin: good });
    const markdown = await cli(['rehearse', '-', '--format', 'markdown'], { stdin: good });
    const html = await cli(['rehearse', '-', '--format', 'html'], { stdin: good });

    expect(JSON.parse(json.stdout).rehearsals).toMatchObject([{ style: 'argo-canary', canaryService: 'web-canary' }]);
    expect(markdown.stdout).toContain('canary of Argo Rollouts, 7 steps');
    expect(html.stdout).toContain('canary of Argo Rollouts');
  });

  it('finds a Rollout by its name, and says what could be rehearsed where there is none', async () => {
    const named = await cli(['rehearse', '-', '--rollout', 'shop/web'], { stdin: good });
    const other = await cli(['rehearse', '-', '--rollout', 'shop/blog'], { stdin: good });

    expect(named.code).toBe(0);
    expect(other.code).toBe(2);
    expect(other.stderr).toContain('no Rollout "shop/blog" with trafficRoutings (Kruise) or trafficRouting (Argo)');
  });

  it('accepts what the stack accepts', async () => {
    const stdin = bad.replace(
      'metadata: { name: web, namespace: shop }',
      'metadata:\n  name: web\n  namespace: shop\n  annotations:\n    rollout-constructs.io/ignore: |\n' +
        '      rehearsal-canary-gets-nothing: a drill\n      rehearsal-match-ignored: a drill',
    );
    const { code, stdout } = await cli(['rehearse', '-'], { stdin });

    expect(stdout).toContain('(2 suppressed)');
    expect(code).toBe(0);
  });
});
