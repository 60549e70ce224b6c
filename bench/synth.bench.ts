import { inFreshProcess, type Measured } from './harness';

/** Synthesises every script of the library `runs` times; prints the milliseconds of the last. */
const synth = (runs: number): string => `
  const { App, Chart } = require('cdk8s');
  const { LuaRoutingConfigMap, LuaScripts } = require('./lib/constructs');
  let milliseconds;
  for (let run = 0; run < ${runs}; run++) {
    const chart = new Chart(new App(), 'chart');
    new LuaRoutingConfigMap(chart, 'LuaScripts', { scripts: [LuaScripts.fromFolder('./lua_configuration')] });
    const start = performance.now();
    chart.toJson();
    milliseconds = performance.now() - start;
  }
  console.log(milliseconds);`;

/** Proofs are kept by content: what the second synth of the same scripts costs beside the first. */
export function synthBenchmarks(): Measured[] {
  return [
    {
      name: 'synth: the whole script library again',
      ours: { label: 'second synth in a process', measure: () => inFreshProcess(synth(2)) },
      alternative: { label: 'first synth in a process', measure: () => inFreshProcess(synth(1)) },
      unit: 'ms',
      goal: { kind: 'faster', than: 30 },
      rounds: 3,
    },
  ];
}
