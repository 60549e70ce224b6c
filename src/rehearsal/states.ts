/** States of the cluster that are alike are looked at once. */
import { type Manifest, sameJson, type World } from '../core';
import { addTo } from '../core/grouped';
import { remembered } from '../core/remembered';
import type { Moment, SeenOutcome } from '../release';
import { isFrozen, type Table } from './tables';

/** Where a request went, whatever is declared. */
export interface Answered extends SeenOutcome {
  /** Equal for equal answers. */
  readonly key: string;
}

/** The load balancers of a state, and what they answer. */
export interface State {
  readonly table: Table;
  readonly answers: readonly Answered[];
}

/** Pods that do not change are the same list at many moments. */
const textOf = remembered((pods: Moment['pods']) => JSON.stringify(pods));

/** The states that a release has met so far. */
export class States {
  private readonly known = new Map<string, State>();
  private readonly objects = new Map<string, Manifest[]>();
  private readonly ids = new Map<Manifest, number>();
  private readonly base: object;

  constructor(first: Moment, state: State) {
    this.base = (first.served ?? first.world).base;
    this.at(first, () => state);
  }

  /** The state of a moment. It is looked at only if no moment before had the same objects and pods. */
  at(moment: Moment, look: (served: World) => State): State {
    const { world, served = world, pods } = moment;
    // A World of another origin tells its objects in another way.
    if (served.base !== this.base) return look(served);
    const key = `${served.changedBy((manifest) => this.idOf(manifest))}\n${textOf(pods)}`;
    const same = this.known.get(key);
    if (same !== undefined) return same;
    const state = look(served);
    // What a frozen load balancer answers depends on what came before.
    if (!isFrozen(state.table)) this.known.set(key, state);
    return state;
  }

  /** A number that equal objects share. */
  private idOf(manifest: Manifest): number {
    const known = this.ids.get(manifest);
    if (known !== undefined) return known;
    const name = `${manifest.groupKind} ${manifest.namespace} ${manifest.name}`;
    const others = this.objects.get(name) ?? [];
    const like = others.find(({ object }) => sameJson(object, manifest.object));
    const id = like === undefined ? this.ids.size : this.ids.get(like)!;
    this.ids.set(manifest, id);
    if (like === undefined) addTo(this.objects, name, manifest);
    return id;
  }
}
