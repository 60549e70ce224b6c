import { stacksOf } from './stage/upstream';
import { labsOfStack } from './stage/upstream/labs';
import { reasonNotPlayed } from './stage/upstream/unserved';
import { MODELS } from './stage/models';
import { rehearsalOf, worldOf } from './stage/compare';
import { checkStack } from '../src/check';
for (const program of ['kruise@0.6.2','argo@1.9.1']) {
  const [controller, release] = program.split('@') as [string,string];
  const model = MODELS[controller]!;
  let i=0;
  for (const stack of stacksOf(program)) {
    const why = reasonNotPlayed(stack);
    const lab = why && !stack.objects.some(o=>o.kind==='Rollout') ? undefined : labsOfStack(stack, controller, i++)[0];
    if (!lab) { console.log(program, stack.name, 'NOT', why); continue; }
    const { findings } = checkStack(worldOf(lab, release, model), { ...model.options(release), isProven: () => true } as any);
    const errors = findings.filter(({ severity }) => severity === 'error');
    const inc = rehearsalOf(lab, release, model)?.findings.filter(f=>f.rule==='rehearsal-incomplete').map(f=>f.message);
    console.log(program, stack.name, why?`NOT ${why}`:'', inc?.length?`INC ${inc}`:'');
    for (const e of errors) console.log('      ', e.rule, e.message.slice(0,200), JSON.stringify((e as any).object?.kind), (e as any).path);
  }
}
