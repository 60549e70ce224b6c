import { describe, expect, it } from 'vitest';
import { rulesOf } from '../stack';
import { canary, HEADER, ingress, path, rehearseYaml, service, VERIFYING } from './stack';

const SERVICES = [service('web-stable'), service('web-canary')];
const DIRECT = path('web-canary', '/canary', 'ImplementationSpecific', '{ number: 80 }');
const beside = ingress({ 'shop.example.com': [path('web-stable'), DIRECT] });

describe('the verification of weights', () => {
  it('succeeds with weights and header routes alone', () => {
    expect(rulesOf(rehearseYaml(canary({ ...HEADER, more: [...SERVICES, VERIFYING] })))).toEqual([]);
  });

  it('reads the weight from the last rule that names the canary', () => {
    const wrong = rehearseYaml(canary({ ingress: beside, more: [...SERVICES, VERIFYING] }));

    expect(rulesOf(wrong)).toEqual(['rehearsal-verification-fails']);
    expect(wrong.findings[0]).toMatchObject({
      severity: 'error',
      step: 0,
      path: 'spec.strategy.canary.steps[0].setWeight',
      message: expect.stringContaining(
        'waits for 20 as the weight of Service "web-canary" of Ingress "web", and reads 1 from rule 2',
      ),
    });
    expect(rulesOf(rehearseYaml(canary({ ingress: beside })))).toEqual([]);
  });

  it('reads the weight of a header route that never matches', () => {
    const prefix = ingress({ 'shop.example.com': [path('web-stable', '/', 'Prefix')] });
    const wrong = rehearseYaml(canary({ ...HEADER, ingress: prefix, more: [...SERVICES, VERIFYING] }));

    expect(wrong.findings.find(({ rule }) => rule === 'rehearsal-verification-fails')).toMatchObject({
      step: 3,
      message: expect.stringContaining(
        'waits for 20 as the weight of Service "web-canary" of Ingress "web", and reads 100',
      ),
    });
  });

  it('asks at the end too, where no step has a weight', () => {
    const steps = HEADER.steps.split('\n').slice(0, 4).join('\n');
    const wrong = rehearseYaml(canary({ ...HEADER, steps, ingress: beside, more: [...SERVICES, VERIFYING] }));

    expect(rulesOf(wrong)).toEqual(['rehearsal-verification-fails']);
    expect(wrong.findings[0]).toMatchObject({
      path: 'spec.strategy.canary',
      message: expect.stringContaining('the release never ends: the controller waits for 100'),
    });
    expect(rulesOf(rehearseYaml(canary({ ...HEADER, steps, more: [...SERVICES, VERIFYING] })))).toEqual([]);
  });

  it('does not ask while an experiment runs, of however many Ingresses', () => {
    const steps = '[{ setWeight: 10 }, { experiment: { templates: [{ name: a, specRef: canary, weight: 10 }] } }]';
    const inner = ingress({ 'inner.example.com': [path('web-stable')] }, { name: 'inner' });
    const more = [service('web-stable', 8080), service('web-canary', 8080), VERIFYING, inner];

    expect(
      rulesOf(rehearseYaml(canary({ steps, alb: '{ ingresses: [web, inner], servicePort: 8080 }', more }))),
    ).toEqual([]);
  });
});
