import { inFreshProcess, type Measured } from './harness';

const loading = (id: string): string =>
  `const start = performance.now(); require(${JSON.stringify(id)}); console.log(performance.now() - start)`;

/** What it costs an app to load the library, beside cdk8s, which it loads anyway. */
export function startUpBenchmarks(): Measured[] {
  return [
    {
      name: "start-up: require('rollout-constructs')",
      // The package's own name resolves to its built files, as for a user.
      ours: { label: "require('rollout-constructs')", measure: () => inFreshProcess(loading('rollout-constructs')) },
      alternative: { label: "require('cdk8s')", measure: () => inFreshProcess(loading('cdk8s')) },
      unit: 'ms',
      goal: { kind: 'cost', than: 1.3 },
      rounds: 15,
    },
  ];
}
