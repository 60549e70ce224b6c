import { kruiseStacks } from './stage/upstream/kruise-stacks';
import { Constants } from './stage/upstream/constants';
for (const s of kruiseStacks('/root/go/pkg/mod/github.com/openkruise/rollouts@v0.6.2', new Constants('/work/wt/upstream/test/stage/programs/kruise-0.6.2'))) {console.log(s.name, s.unread ?? '', s.objects.map(o=>o.kind+'/'+o.metadata?.name).join(' ')); if (process.argv[2]) console.log(JSON.stringify(s.objects.filter(o=>o.kind==='Rollout').map(o=>[o.metadata,o.spec])))}
