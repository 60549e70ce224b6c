/** Follows a release until its goal, a timeout or Ctrl-C, and reports each moment. */
import type { WatchedMoment } from '../../core/watched-release';
import { jsonLine, plainLines, screenLines } from '../../report/watch';
import { Follower, type FollowOptions, type GoalReached, Verdict } from '../../watch';
import { type Io, type Style, write } from '../io';
import type { ClusterFeed } from './cluster-feed';
import type { WatchOptions } from './options';
import { Tale } from './tale';
import { Page, sizeOf } from './terminal';

/** Several objects change in one move of a controller: they are looked at together. */
const QUIET_MS = 80;
const LONGEST_WAIT_MS = 500;

/** Without news, what depends on the time is looked at this often. */
const IDLE_MS = 2500;
const CLOCK_MS = 1000;

/** Exit codes. */
export const [REACHED, NOT_REACHED, TIMED_OUT, INTERRUPTED] = [0, 1, 3, 130] as const;

/** The end of a session. */
interface End {
  readonly code: number;
  readonly why: string;
}

/** One call of `watch`. */
export class Session {
  private readonly follower: Follower;
  private readonly verdict: Verdict | undefined;
  private readonly tale: Tale | undefined;
  private readonly page: Page | undefined;
  private moment: WatchedMoment | undefined;
  private signature = '';
  private wake = () => {};
  private changedAt: number | undefined;
  private end: End | undefined;

  constructor(
    private readonly feed: ClusterFeed,
    follow: FollowOptions,
    private readonly options: WatchOptions,
    private readonly style: Style,
    private readonly io: Io,
  ) {
    const { until, patienceSeconds, html, format } = options;
    this.follower = new Follower(follow);
    this.verdict = until === undefined ? undefined : new Verdict(until, patienceSeconds);
    this.tale = html === undefined ? undefined : new Tale(html, io);
    const isPage = format === 'page' || (format === 'auto' && io.isTTY.stdout && io.env.TERM !== 'dumb');
    this.page = isPage ? new Page() : undefined;
  }

  /** Something has changed. */
  changed(): void {
    this.changedAt ??= performance.now();
    this.wake();
  }

  /** Ends with the exit code. */
  async run(): Promise<number> {
    const { longestSeconds, until } = this.options;
    const stop = (end: End) => {
      this.end ??= end;
      this.wake();
    };
    const isOver = { code: until === undefined ? REACHED : TIMED_OUT, why: `the time of ${longestSeconds} s is over` };
    const timer = longestSeconds === undefined ? undefined : setTimeout(() => stop(isOver), longestSeconds * 1000);
    const release = this.io.onInterrupt(() =>
      stop({ code: until === undefined ? REACHED : INTERRUPTED, why: 'stopped' }),
    );
    const resized = () => {
      this.page?.resized();
      this.wake();
    };
    this.io.stdout.on('resize', resized);
    this.feed.start();
    try {
      return await this.follow();
    } finally {
      clearTimeout(timer);
      release();
      this.io.stdout.off('resize', resized);
      this.feed.stop();
    }
  }

  private async follow(): Promise<number> {
    while (this.end === undefined) {
      this.changedAt = undefined;
      await this.look();
      if (this.end !== undefined) break;
      await this.untilNews();
    }
    const { code, why } = this.end;
    this.tale?.write(sentence(why));
    if (this.page !== undefined || this.options.until !== undefined) {
      const isGood = code === REACHED;
      await write(this.io.stderr, `${isGood ? '' : 'watch ends: '}${why}\n`);
    }
    return code;
  }

  private async look(): Promise<void> {
    const at = new Date();
    const { lost } = this.feed;
    const moment = this.follower.look({ cluster: this.feed.cluster(at), at, ...(lost === undefined ? {} : { lost }) });
    const { at: _at, changes, ...rest } = moment;
    const signature = JSON.stringify(rest);
    const isNew = signature !== this.signature;
    this.moment = moment;
    this.signature = signature;
    if (isNew || changes.length > 0) {
      this.tale?.add(moment);
      await this.report(moment, isNew);
    }
    const reached = this.verdict?.of(moment);
    if (reached !== undefined) this.end ??= endOf(reached);
    await this.draw();
  }

  private async report(moment: WatchedMoment, isNew: boolean): Promise<void> {
    if (this.page !== undefined) return;
    if (this.options.format === 'json') return this.print(jsonLine(moment));
    if (isNew) await this.print(plainLines(moment));
  }

  private async draw(): Promise<void> {
    if (this.page === undefined || this.moment === undefined) return;
    const { width, height } = sizeOf(this.io);
    // The cursor stands below the page.
    const lines = screenLines(this.moment, { ...this.style, width, height: height - 1, now: new Date() });
    await this.print(this.page.draw(lines));
  }

  private async print(text: string): Promise<void> {
    // The reader has closed the pipe.
    if (!(await write(this.io.stdout, text))) this.end ??= { code: REACHED, why: 'nobody reads any more' };
  }

  /** Waits until the cluster has changed and is quiet again, or until the time may have changed something. */
  private async untilNews(): Promise<void> {
    const until = performance.now() + IDLE_MS;
    while (this.changedAt === undefined && this.end === undefined && performance.now() < until) {
      await this.sleep(Math.min(this.page === undefined ? IDLE_MS : CLOCK_MS, until - performance.now()));
      if (this.changedAt === undefined) await this.draw();
    }
    if (this.changedAt === undefined) return;
    const latest = this.changedAt + LONGEST_WAIT_MS;
    for (let last = this.changes; this.end === undefined && performance.now() < latest; last = this.changes) {
      await this.sleep(QUIET_MS, false);
      if (last === this.changes) return;
    }
  }

  private changes = 0;

  private sleep(milliseconds: number, isWoken = true): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.max(0, milliseconds));
      this.wake = () => {
        this.changes++;
        if (!isWoken && this.end === undefined) return;
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

function endOf({ isReached, why }: GoalReached): End {
  return { code: isReached ? REACHED : NOT_REACHED, why };
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
