/** Which stack a test of upstream applies, on tests of ours that are written as theirs are. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../cluster/api';
import { argoStacks } from './argo-stacks';
import { Constants } from './constants';
import { kruiseStacks } from './kruise-stacks';
import { labsOfStack } from './labs';
import { kebab } from './stack';
import { reasonNotPlayed } from './unserved';

let module = '';

beforeEach(() => {
  module = mkdtempSync(join(tmpdir(), 'upstream-'));
});

afterEach(() => rmSync(module, { recursive: true }));

function write(path: string, text: string): void {
  const file = join(module, 'test/e2e', path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const rollout = (
  name: string,
  steps = '[{ setWeight: 20 }, { pause: { duration: 10m } }]',
) => `apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata: { name: ${name} }
spec:
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec: { containers: [{ name: main, image: "registry:5000/web" }] }
  strategy: { canary: { steps: ${steps} } }
`;

describe('the tests of Argo Rollouts', () => {
  const stacks = () => argoStacks(module);
  const namesOf = (objects: readonly KubernetesObject[]) =>
    objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`);

  test('are given files, texts, templates and steps, until the release begins', () => {
    write('functional/basic.yaml', rollout('basic'));
    write('functional/template.yaml', rollout('NAME'));
    write('functional/unused.yaml', rollout('unused'));
    write(
      'canary_test.go',
      `package e2e
func newService(name, label string) string {
	return fmt.Sprintf(\`
kind: Service
apiVersion: v1
metadata: { name: %s }
spec: { selector: { app: %s } }\`, name, label)
}
func (s *Suite) TestBasicCanary() {
	steps := "- setWeight: 5"
	s.Given().
		RolloutObjects(newService("web", "basic")).
		RolloutObjects("@functional/basic.yaml").
		SetSteps(steps).
		When().ApplyManifests().UpdateSpec().
		ApplyManifests(\`kind: Secret\`)
}
func (s *Suite) TestTemplate() {
	s.Given().RolloutTemplate("@functional/template.yaml", map[string]string{"NAME": "mine"}).When().ApplyManifests()
}
func (s *Suite) TestTable() {
	tests := []struct { file string }{ {"@functional/basic.yaml"} }
	for _, tc := range tests {
		s.Given().RolloutObjects(tc.file)
	}
}
func (s *Suite) TestUnread() {
	s.Given().RolloutObjects(nobody.Knows(this))
}
`,
    );

    expect(stacks().map(({ name, objects, unread }) => [name, namesOf(objects), unread])).toEqual([
      ['basic-canary', ['Service/web', 'Rollout/basic'], undefined],
      ['template', ['Rollout/mine'], undefined],
      ['table', ['Rollout/basic'], undefined],
      ['unread', [], 'the test applies a text that is not read'],
      ['functional-unused', ['Rollout/unused'], undefined],
    ]);
    expect(stacks()[0]!.objects[1]!.spec.strategy.canary.steps).toEqual([{ setWeight: 5 }]);
  });

  test('a stack of several tests is played once, with the templates that it names', () => {
    const template = (name: string) => `apiVersion: argoproj.io/v1alpha1
kind: AnalysisTemplate
metadata: { name: ${name} }
spec: { metrics: [{ name: a, provider: { web: { url: "https://kubernetes.default.svc/version" } } }] }
`;
    write('named.yaml', template('named'));
    write('other.yaml', template('other'));
    write('analysed.yaml', rollout('web', '[{ analysis: { templates: [{ templateName: named }] } }]'));
    write(
      'analysis_test.go',
      `package e2e
func (s *Suite) SetupSuite() {
	s.ApplyManifests("@named.yaml")
	s.ApplyManifests("@other.yaml")
}
func (s *Suite) TestFirst() { s.Given().HealthyRollout("@analysed.yaml") }
func (s *Suite) TestSecond() { s.Given().HealthyRollout("@analysed.yaml") }
`,
    );

    const [first, ...others] = stacks();
    expect(others).toEqual([]);
    expect(namesOf(first!.objects)).toEqual(['AnalysisTemplate/named', 'Rollout/web']);
    expect(first!.objects[0]!.spec.metrics[0].provider.web.url).toBe('https://127.0.0.1:6443/version');
  });

  test('become labs with versions, short pauses and an entrance', () => {
    write('basic.yaml', rollout('basic'));
    const labs = labsOfStack(stacks()[0]!, 'argo', 7);

    expect(labs.map(({ name, told }) => [name, told])).toEqual([
      ['basic-7-straight', 'straight'],
      ['basic-7-abort', 'abort'],
    ]);
    const [lab, service, ingress] = labs[0]!.manifests;
    expect(lab!.spec.template.spec.containers[0].image).toBe('registry:5000/web:v1');
    expect(lab!.spec.strategy.canary.steps[1]).toEqual({ pause: { duration: 15 } });
    expect(service!.spec.selector).toEqual({ app: 'basic' });
    expect(ingress!.spec.rules[0].http.paths[0].backend.service.name).toBe('basic');
  });
});

describe('the tests of Kruise Rollouts', () => {
  const constants = { valueOf: (path: string, name: string) => `${path}/${name}` } as unknown as Constants;

  test('read files into variables, change them and create them, until the release begins', () => {
    write(
      'data/rollout.yaml',
      'kind: Rollout\nmetadata: { name: web }\nspec: { strategy: { canary: { steps: [] } } }\n',
    );
    write('data/deployment.yaml', 'kind: Deployment\nmetadata: { name: web }\nspec: { template: { metadata: {} } }\n');
    write(
      'rollout_test.go',
      `package e2e
import (
	v1beta1 "example.com/api"
)
var _ = Describe("all", func() {
	It("V1->V2: matches", func() {
		rollout := &v1beta1.Rollout{}
		Expect(ReadYamlToObject("./data/rollout.yaml", rollout)).ToNot(HaveOccurred())
		kind := v1beta1.HeaderRegex
		two := intstr.FromInt(2)
		rollout.Spec.Strategy.Canary.Steps = []v1beta1.CanaryStep{
			{
				TrafficRoutingStrategy: v1beta1.TrafficRoutingStrategy{
					Traffic: utilpointer.String("20%"),
					Matches: []v1beta1.Match{{Headers: []v1beta1.Header{{Type: &kind, Name: "a", Value: "b"}}}},
				},
				Replicas: &intstr.IntOrString{Type: intstr.String, StrVal: "20%"},
				Pause:    v1beta1.RolloutPause{},
			},
			{Replicas: &two},
		}
		rollout.Spec.WorkloadRef = v1beta1.ObjectRef{APIVersion: "apps/v1", Name: "web"}
		rollout.Spec.Disabled = nil
		addAnnotation(rollout, v1beta1.Batch, "true")
		CreateObject(rollout)
		workload := &apps.Deployment{}
		Expect(ReadYamlToObject("./data/deployment.yaml", workload)).ToNot(HaveOccurred())
		workload.Spec.Replicas = utilpointer.Int32(3)
		workload.Spec.Template.Labels["pod"] = "stable"
		CreateObject(workload)
		UpdateDeployment(workload)
		CreateObject(workload)
	})
	It("writes what is not read", func() {
		Expect(ReadYamlToObject("./data/rollout.yaml", rollout)).ToNot(HaveOccurred())
		rollout.Spec.Strategy = strategyOf(1, 2)
		CreateObject(rollout)
	})
})
`,
    );

    const [matches, unread] = kruiseStacks(module, constants);
    expect(matches!.name).toBe('v1-v2-matches');
    expect(matches!.objects).toEqual([
      {
        kind: 'Rollout',
        metadata: { name: 'web', annotations: { 'example.com/api/Batch': 'true' } },
        spec: {
          strategy: {
            canary: {
              steps: [
                {
                  traffic: '20%',
                  matches: [{ headers: [{ type: 'example.com/api/HeaderRegex', name: 'a', value: 'b' }] }],
                  replicas: '20%',
                  pause: {},
                },
                { replicas: 2 },
              ],
            },
          },
          workloadRef: { apiVersion: 'apps/v1', name: 'web' },
        },
      },
      {
        kind: 'Deployment',
        metadata: { name: 'web' },
        spec: { replicas: 3, template: { metadata: { labels: { pod: 'stable' } } } },
      },
    ]);
    expect(unread).toEqual({
      name: 'writes-what-is-not-read',
      objects: [],
      unread: 'the test writes a value that is not read',
    });
  });

  test('constants come from the sources of a package', () => {
    const cwd = join(module, 'go');
    mkdirSync(cwd);
    const known = new Constants(
      cwd,
      () => 'const (\n\tBatch = "in-batch"\n\tRegex HeaderType = "RegularExpression"\n)\n',
    );
    expect([known.valueOf('a', 'Batch'), known.valueOf('a', 'Regex'), known.valueOf('a', 'None')]).toEqual([
      'in-batch',
      'RegularExpression',
      undefined,
    ]);
  });
});

describe('what the stage does not have', () => {
  const stack = (...objects: readonly object[]) => reasonNotPlayed({ name: 'a', objects });
  const plain = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Rollout', spec: { strategy: { canary: {} } } };

  test.each([
    ['a Job', { ...plain, kind: 'AnalysisTemplate', spec: { metrics: [{ provider: { job: {} } }] } }, /Job/],
    ['a router', { ...plain, spec: { strategy: { canary: { trafficRouting: { smi: {} } } } } }, /smi/],
    ['a plugin', { ...plain, spec: { strategy: { canary: { steps: [{ plugin: { name: 'a' } }] } } } }, /plugin/],
  ])('%s', (_what, object, reason) => {
    expect(stack(plain, object)).toMatch(reason);
    expect(stack(plain)).toBeUndefined();
  });

  test('a stack without a Rollout has no release', () => {
    expect(stack({ ...plain, kind: 'Experiment' })).toBe('it has no Rollout');
  });
});

test('names become kebab case', () => {
  expect(['ALBCanaryScale', 'V1->V2: 20%, "a"', 'functional/x.y'].map(kebab)).toEqual([
    'alb-canary-scale',
    'v1-v2-20-a',
    'functional-x-y',
  ]);
});
