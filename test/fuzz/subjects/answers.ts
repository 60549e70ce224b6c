/** Answers of an API server, one of them odd: doctor says what it sees, or with one sentence why it sees nothing. */

import { ApiError, type Connection } from '../../../src/cli/cluster/client';
import { readCluster } from '../../../src/cli/cluster/read-cluster';
import { isJsonObject, type Json } from '../../../src/core/json';
import { examine, LiveCluster, READ_KINDS } from '../../../src/doctor';
import { checkupReporters } from '../../../src/report/doctor';
import { apiAnswers } from '../../cli/api-answers';
import { argoCluster } from '../../doctor/argo-cluster';
import { kruiseCluster } from '../../doctor/kruise-cluster';
import { ktenvCluster } from '../../doctor/ktenv-cluster';
import { mutated } from '../../hardness/mutation';
import { Chance } from '../../hardness/random';
import { RAW, refusal, type Subject } from './subject';

const CLUSTERS = { kruise: kruiseCluster(), argo: argoCluster(), ktenv: ktenvCluster() };
type Cluster = keyof typeof CLUSTERS;

/** Which answers are odd: every n-th of a cluster, changed by the chance of a seed. */
interface Input {
  readonly cluster: Cluster;
  readonly seed: number;
  readonly every: number;
}

export const answers: Subject = {
  make: (seed) => {
    const chance = new Chance(seed);
    const cluster = chance.of(Object.keys(CLUSTERS) as Cluster[]);
    return JSON.stringify({ cluster, seed, every: 1 + chance.below(40) } satisfies Input);
  },
  fault: (text) => {
    let said = '';
    const input: Input = JSON.parse(text);
    return refusal(async () => {
      const { manifests, unread } = await readCluster(connectionTo(input), {
        kinds: READ_KINDS,
        controllerNamespaces: ['kruise-rollout', 'argo-rollouts'],
      });
      const { checkup, stack } = examine(new LiveCluster({ from: 'fuzz', manifests, unread }));
      said = checkupReporters.markdown(checkup, stack.findings, { color: false, ascii: false });
    }).then((fault) => fault ?? (RAW.test(said) ? `says ${RAW.exec(said)![0]}` : undefined));
  },
};

function connectionTo({ cluster, seed, every }: Input): Connection {
  const answerTo = apiAnswers({ objects: CLUSTERS[cluster] });
  const chance = new Chance(seed);
  let asked = 0;
  return {
    from: 'https://fuzz.example.com',
    close: () => undefined,
    async get(path) {
      const { status, body } = answerTo(new URL(path, 'https://fuzz.example.com'));
      asked += 1;
      const isOdd = asked % every === 0;
      if (isOdd && chance.oneIn(4)) throw new ApiError(chance.of([0, 403, 404, 410, 500, 503]), 'refused');
      if (status !== 200) throw new ApiError(status, String((body as { message?: string }).message));
      const answer = isOdd ? mutated(body as Json, chance) : (body as Json);
      if (!isJsonObject(answer)) throw new ApiError(0, 'the answer is no JSON object');
      return answer;
    },
  };
}
