import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rolloutStack } from '../../bench/rollouts';
import { Manifest, type SourceLocation, World } from '../../src/core';
import { RolloutScripts } from '../../src/kruise/controller';
import { rolloutsOf } from '../../src/kruise/rules/subject';
import { builtinScripts, packagedScripts } from '../../src/kruise/scripts/library';
import { KruiseRolloutVersion } from '../../src/kruise/version';
import { compileLua, type LuaData } from '../../src/lua';
import { findingsOf, rehearsalFindings, rehearse } from '../../src/rehearsal';
import { alikeFindings } from '../../src/rehearsal/alike';
import { Names } from '../../src/rehearsal/alike/names';
import { allRouters } from '../../src/rehearsal/routers';
import { Scopes } from '../../src/rehearsal/scope';

/** Plain objects, to be changed at will. */
type Objects = ReturnType<typeof JSON.parse>[];

const PREFIX = 'alb.ingress.kubernetes.io/';

/** Each manifest says where it stands, by its place and the length of the path. */
function worldOf(objects: Objects): World {
  return World.of(
    objects.map((object, index) => {
      const locate = (path: readonly unknown[]): SourceLocation => ({
        file: `${index % 3}.yaml`,
        line: index + 1,
        column: JSON.stringify(path).length,
      });
      return Manifest.of(object, index % 2 === 0 ? { origin: { locate }, construct: `app/${index}` } : {});
    }),
  );
}

/** What `rehearse` finds, which plays every Rollout for itself. */
function oneByOne(world: World) {
  return findingsOf(rehearse(world));
}

function expectTheSame(objects: Objects): void {
  const world = worldOf(objects);
  expect(rehearsalFindings(world)).toEqual(oneByOne(world));
}

/** Which Rollouts are told without a rehearsal of their own, and how many had to be played for that. */
function told(objects: Objects) {
  const world = worldOf(objects);
  const version = KruiseRolloutVersion.LATEST;
  const configMap = world.find('ConfigMap', 'kruise-rollout-configuration', 'kruise-rollout')?.object;
  const scripts = new RolloutScripts({ builtins: builtinScripts(version), configMap, version });
  let played = 0;
  const findings = alikeFindings({
    world,
    scopes: new Scopes(world),
    rollouts: rolloutsOf(world, version),
    scripts,
    routers: allRouters(),
    alb: { regexValues: true },
    rehearse: () => {
      played++;
      return [];
    },
  });
  return { played, names: [...findings.keys()].map(({ name }) => name) };
}

const stack = (count: number, perLoadBalancer = 3): Objects =>
  structuredClone(rolloutStack(count, { perLoadBalancer }));
const ofKind = (objects: Objects, kind: string): Objects => objects.filter((object) => object.kind === kind);

/** Ways in which a stack may be different from one in which nothing is wrong. */
const CHANGES: Readonly<Record<string, (objects: Objects, pick: number) => void>> = {
  'an order behind the stable one': (objects, pick) => {
    at(ofKind(objects, 'Ingress'), pick).metadata.annotations['rollout-constructs.io/canary-group-order'] = '12';
  },
  'another order': (objects, pick) => {
    const { annotations } = at(ofKind(objects, 'Ingress'), pick).metadata;
    annotations[`${PREFIX}group.order`] = '5';
    annotations['rollout-constructs.io/canary-group-order'] = '-3';
  },
  'no action': (objects, pick) => {
    const ingress = at(ofKind(objects, 'Ingress'), pick);
    delete ingress.metadata.annotations[`${PREFIX}actions.${ingress.metadata.name}`];
  },
  'a wildcard for a host': (objects, pick) => {
    at(ofKind(objects, 'Ingress'), pick).spec.rules[0].host = '*.example.com';
  },
  'the host of another': (objects, pick) => {
    at(ofKind(objects, 'Ingress'), pick).spec.rules[0].host = 'app-1.example.com';
  },
  'no host': (objects, pick) => {
    delete at(ofKind(objects, 'Ingress'), pick).spec.rules[0].host;
  },
  'a path with a name in it': (objects, pick) => {
    const ingress = at(ofKind(objects, 'Ingress'), pick);
    ingress.spec.rules[0].http.paths[0].path = `/${ingress.metadata.name}`;
  },
  'a default backend': (objects, pick) => {
    const ingress = at(ofKind(objects, 'Ingress'), pick);
    ingress.spec.defaultBackend = { service: { name: ingress.metadata.name, port: { number: 80 } } };
  },
  'a setting of its own': (objects, pick) => {
    at(ofKind(objects, 'Ingress'), pick).metadata.annotations[`${PREFIX}healthcheck-path`] = '/alive';
  },
  'no redirect to the encrypted port': (objects, pick) => {
    delete at(ofKind(objects, 'Ingress'), pick).metadata.annotations[`${PREFIX}ssl-redirect`];
  },
  'other ports': (objects, pick) => {
    const { annotations } = at(ofKind(objects, 'Ingress'), pick).metadata;
    annotations[`${PREFIX}listen-ports`] = '[{"HTTPS": 8443}, {"HTTPS": 443}]';
  },
  'a scheme that others do not have': (objects, pick) => {
    at(ofKind(objects, 'Ingress'), pick).metadata.annotations[`${PREFIX}scheme`] = 'internal';
  },
  'conditions of its own': (objects, pick) => {
    const ingress = at(ofKind(objects, 'Ingress'), pick);
    ingress.metadata.annotations[`${PREFIX}conditions.${ingress.metadata.name}`] =
      '[{"field":"http-header","httpHeaderConfig":{"httpHeaderName":"x-team","values":["a"]}}]';
  },
  'conditions on hosts': (objects, pick) => {
    const ingress = at(ofKind(objects, 'Ingress'), pick);
    ingress.metadata.annotations[`${PREFIX}conditions.${ingress.metadata.name}`] =
      '[{"field":"host-header","hostHeaderConfig":{"values":["app-2.example.com"]}}]';
  },
  'a neighbour that already names the canary Service': (objects, pick) => {
    const ingress = at(ofKind(objects, 'Ingress'), pick);
    const backend = { service: { name: 'app-0-canary', port: { number: 80 } } };
    ingress.spec.rules[0].http.paths.push({ path: '/preview', pathType: 'Prefix', backend });
  },
  'a second Ingress for a Service': (objects, pick) => {
    const ingress = structuredClone(at(ofKind(objects, 'Ingress'), pick));
    ingress.metadata.name = 'another';
    ingress.spec.rules[0].host = 'another.example.com';
    objects.push(ingress);
  },
  'an Ingress that no Rollout has': (objects, pick) => {
    const ingress = structuredClone(at(ofKind(objects, 'Ingress'), pick));
    const service = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'docs', namespace: ingress.metadata.namespace },
    };
    Object.assign(ingress.metadata, { name: 'docs' });
    ingress.metadata.annotations[`${PREFIX}group.order`] = String(pick % 20);
    ingress.spec.rules = [
      {
        host: 'docs.example.com',
        http: {
          paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'docs', port: { number: 80 } } } }],
        },
      },
    ];
    objects.push(ingress, { ...service, spec: { selector: { app: 'docs' }, ports: [{ port: 80 }] } });
  },
  'a Service without that port': (objects, pick) => {
    at(ofKind(objects, 'Service'), pick).spec.ports[0].port = 8080;
  },
  'a Service that selects nothing': (objects, pick) => {
    at(ofKind(objects, 'Service'), pick).spec.selector = { app: 'nobody' };
  },
  'pods that are replaced in place': (objects, pick) => {
    at(ofKind(objects, 'Rollout'), pick).spec.strategy.canary.enableExtraWorkloadForCanary = false;
  },
  'one pod': (objects, pick) => {
    at(ofKind(objects, 'Deployment'), pick).spec.replicas = 1;
  },
  'no pod': (objects, pick) => {
    at(ofKind(objects, 'Deployment'), pick).spec.replicas = 0;
  },
  'a step without traffic': (objects, pick) => {
    at(ofKind(objects, 'Rollout'), pick).spec.strategy.canary.steps.splice(1, 1, { replicas: 1 });
  },
  'a match that has the name of the application': (objects, pick) => {
    const rollout = at(ofKind(objects, 'Rollout'), pick);
    const headers = [{ name: 'x-app', value: rollout.metadata.name }];
    rollout.spec.strategy.canary.steps.unshift({ matches: [{ headers }], replicas: 1 });
  },
  'no canary Service': (objects, pick) => {
    at(ofKind(objects, 'Rollout'), pick).spec.strategy.canary.disableGenerateCanaryService = true;
  },
  'a script of its own': (objects) => {
    const [configMap] = ofKind(objects, 'ConfigMap');
    configMap.data['lua.traffic.routing.ingress.aws-alb'] += `
if string.find(canary, "app%-1") then annotations["alb.ingress.kubernetes.io/group.order"] = "20" end
return annotations`;
  },
  'two Rollouts for one Ingress': (objects, pick) => {
    const rollout = structuredClone(at(ofKind(objects, 'Rollout'), pick));
    rollout.metadata.name = 'second';
    objects.push(rollout);
  },
  'a name that is a word of the configuration': (objects, pick) => {
    const name = at(ofKind(objects, 'Rollout'), pick).metadata.name;
    for (const word of ['http', 'service', 'alb', 'web']) {
      if (pick % 4 !== word.length % 4) continue;
      const text = JSON.stringify(objects)
        .replaceAll(`"${name}"`, `"${word}"`)
        .replaceAll(`actions.${name}"`, `actions.${word}"`);
      objects.splice(0, objects.length, ...JSON.parse(text.replaceAll(`\\"${name}\\"`, `\\"${word}\\"`)));
    }
  },
};

function at<T>(items: readonly T[], pick: number): T {
  return items[pick % items.length]!;
}

describe('applications that are alike', () => {
  it('are rehearsed once for all of them', () => {
    rehearsalFindings(worldOf(stack(60, 20)));
    const { played, names } = told(stack(90, 15));
    expect(played).toBe(0);
    expect(names.length).toBe(90);
  });

  it.each([1, 3, 20])('are told what each would be, with %i on a load balancer', (perLoadBalancer) => {
    const objects = stack(32, perLoadBalancer);
    expectTheSame(objects);
    expect(rehearsalFindings(worldOf(objects)).length).toBeGreaterThan(32);
  });

  it('are told with names and hosts that say nothing', () => {
    const text = JSON.stringify(stack(6)).replace(/app-(\d)(\.example\.com)?/g, (_, digit: string, host?: string) =>
      host === undefined ? `team${'abcdef'[Number(digit)]!.repeat(3)}-x` : `${'zyxwvu'[Number(digit)]}.host.test`,
    );
    expectTheSame(JSON.parse(text));
  });

  it.each(Object.entries(CHANGES))('are told beside one with %s', (_, change) => {
    for (const pick of [0, 4]) {
      const objects = stack(5);
      change(objects, pick);
      expectTheSame(objects);
    }
  });

  it('are told whatever is changed', () => {
    const changes = fc.array(fc.tuple(fc.constantFrom(...Object.values(CHANGES)), fc.nat(20)), { maxLength: 5 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 1, max: 4 }), changes, (count, each, made) => {
        const objects = stack(count, each);
        for (const [change, pick] of made) {
          try {
            change(objects, pick);
          } catch (error) {
            // What an earlier change took away cannot be changed.
            if (!(error instanceof TypeError)) throw error;
          }
        }
        expectTheSame(objects);
      }),
      { seed: 7, numRuns: 30 },
    );
  });
});

describe('the script of the library', () => {
  it('says of one name what it says of another', () => {
    const script = compileLua(packagedScripts().find({ provider: 'ingress', classType: 'aws-alb' })!.source);
    const name = fc.stringMatching(/^[a-z][-a-z0-9]{1,38}[a-z0-9]$/).filter((text) => !/canary|stable/.test(text));
    const steps = fc.constantFrom<readonly object[]>(
      [{ weight: '20' }, { weight: '100' }],
      [{ weight: '-1', matches: [{ headers: [{ name: 'user-agent', value: 'p?c' }] }] }, { weight: '5' }],
      [{ weight: '-1', matches: [{ headers: [{ name: 'canary-by-cookie', value: 'x' }] }] }],
      [{ weight: '-1', matches: [{ path: { value: '/cart' } }] }],
    );
    /** What it answers at creation and at each step, every name written as `§`. */
    const answers = (service: string, asked: readonly object[]) => {
      const action = { type: 'forward', forwardConfig: { targetGroups: [{ serviceName: service, servicePort: 80 }] } };
      let annotations: object = {
        [`${PREFIX}group.order`]: '10',
        'rollout-constructs.io/canary-group-order': '9',
        [`${PREFIX}actions.${service}`]: JSON.stringify(action),
      };
      return [{ weight: '0' }, ...asked].map((step) => {
        const result = script.run({ annotations, canaryService: `${service}-canary`, ...step } as LuaData);
        if (!result.ok) return result.error.replaceAll(service, '§');
        annotations = JSON.parse(result.json);
        const told = Object.entries(annotations).map((entry) => entry.map((text) => text.split(service).join('§')));
        return Object.fromEntries(told);
      });
    };
    // A name of which no other word of the annotations holds a part.
    const known = 'qzx-17';
    fc.assert(
      fc.property(name, steps, (service, asked) => {
        fc.pre(!JSON.stringify(answers(known, asked)).includes(service));
        expect(answers(service, asked)).toEqual(answers(known, asked));
      }),
      { seed: 11, numRuns: 100 },
    );
  });
});

describe('names', () => {
  it('come back as they were', () => {
    const names = Names.of(['shop-web', 'shop', 'billing'], ['shop.example.com'], 'public')!;
    const text = names.standIn('actions.shop-web of shop/shop-web, not shop-web-2');
    expect(text).not.toMatch(/shop(?!-web-2)/);
    expect(names.restore(text)).toBe('actions.shop-web of shop/shop-web, not shop-web-2');
    expect(names.restore(names.host('shop.example.com'))).toBe('shop.example.com');
    expect(names.isFree(text)).toBe(false);
  });

  it.each([['web'], ['A-b-c'], ['the-canary'], ['zqj-thing'], ['a'.repeat(41)]])('are not taken from %s', (name) => {
    expect(Names.of([name], [], undefined) === undefined).toBe(name !== 'web');
  });
});
