/** The questions about a release of any controller. */
import { groupKindOf, type ObjectRef } from '../core';
import type { CheckupItem, CheckupSection } from '../core/checkup';
import type { Scopes } from '../rehearsal/scope';
import type { Release, ReleaseTraffic } from '../release';
import type { LiveCluster } from './cluster';
import { listed, nameOf, Question } from './question';

/** The input of the questions. */
export interface ReleaseContext {
  readonly cluster: LiveCluster;
  readonly declaredScopes: Scopes;
}

/** All questions about a release of a controller that has no questions of its own. */
export function releaseSection(release: Release, context: ReleaseContext): CheckupSection {
  const { manifest, namespace, traffic } = release;
  const section = { title: nameOf(manifest, namespace), object: manifest.ref };
  if (release.isDisabled === true) {
    return { ...section, items: [new Question('release-status', 'where is the release?', []).ok('it is disabled')] };
  }
  if (traffic === undefined) {
    const question = new Question('release-objects', 'do the objects that it names exist?', []);
    return { ...section, items: [question.notApplicable('it routes no traffic')] };
  }
  return { ...section, items: [objectsItem(traffic, context), playItem(release, traffic, context)] };
}

function objectsItem(traffic: ReleaseTraffic, { cluster }: ReleaseContext): CheckupItem {
  const { namespace, stableService, objects } = traffic;
  const refs: readonly ObjectRef[] = [{ apiVersion: 'v1', kind: 'Service', name: stableService }, ...objects];
  const nameOfRef = ({ kind, name }: ObjectRef) => `${kind} ${namespace}/${name}`;
  const question = new Question('release-objects', 'do the objects that it names exist?', refs.map(nameOfRef));
  const absent = refs.filter((ref) => cluster.world.get({ ...ref, namespace }) === undefined);
  const unreadOf = ({ kind, apiVersion = '' }: ObjectRef) => cluster.unread(groupKindOf(kind, apiVersion), namespace);
  const missing = absent.filter((ref) => unreadOf(ref) === undefined);
  if (missing.length > 0) {
    return question.problem(`missing: ${listed(missing.map(nameOfRef))}`, {
      fix: 'create what is missing, or correct the name',
    });
  }
  const unread = absent.map(unreadOf).find((one) => one !== undefined);
  return unread === undefined ? question.ok('all of them exist') : question.unknown(unread);
}

function playItem(release: Release, traffic: ReleaseTraffic, { declaredScopes }: ReleaseContext): CheckupItem {
  const question = new Question('release-play', 'can the controller complete the release?', []);
  if (release.notPlayed !== undefined) return question.open(release.notPlayed.message);
  const { stop } = release.play(declaredScopes.of(traffic, release.needs));
  if (stop === undefined) return question.ok('yes, in a rehearsal with the objects of the cluster');
  const { message, because, fix } = stop.remark;
  return question.problem(message, {
    ...(because === undefined ? {} : { details: [because] }),
    ...(fix === undefined ? {} : { fix }),
  });
}
