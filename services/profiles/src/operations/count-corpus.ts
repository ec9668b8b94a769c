import type { Clock } from '@shopscope/clock';
import type { CorpusCount, DomainPage } from '../domain/corpus-count.ts';
import { listedStates, liveStates } from '../domain/values.ts';
import type { DomainRanges, StateCount } from '../outbound/mongo/domain-ranges.ts';

export interface CountOptions {
  /** The number of domains per range. Each range becomes a page. */
  rangeSize: number;
  abort: AbortSignal;
  /** Called before each range. It throws to end the count. */
  beforeRange(): Promise<void>;
}

/** This is below the socket timeout of 20 s, after which the driver would give up while the server continues. */
const rangeTimeoutMs = 15_000;
/** A range and its pause together stay shorter than the lease. */
const maxPauseMs = 10_000;
/** This is enough for 100 million profiles. The document of the count has room for this many pages. */
const maxRanges = 10_000;

/**
 * Counts the corpus range by range. The index of `_id` provides the end of a range, and one aggregation counts its stores.
 *
 * - Load: the pause after each range is as long as the range took (at most {@link maxPauseMs}), to use at most half of a server core.
 * - A range fails, the process stops or `beforeRange` throws -> the call rejects, and nothing is written.
 * - Bounds: {@link rangeTimeoutMs} per read, {@link maxRanges} ranges.
 */
export async function countCorpus(
  { domains, clock }: { domains: DomainRanges; clock: Clock },
  { rangeSize, abort, beforeRange }: CountOptions,
): Promise<CorpusCount> {
  const bounds = { timeoutMs: rangeTimeoutMs, abort };
  const countedAt = new Date(clock.now());
  const pages: DomainPage[] = [];
  let [stores, profiles] = [0, 0];

  for (let after = ''; ; ) {
    if (pages.length === maxRanges) throw new Error(`the corpus has more than ${maxRanges * rangeSize} profiles`);
    await beforeRange();
    const startedMs = clock.monotonicMs();
    const last = await domains.lastOf(after, rangeSize, bounds);
    const range = { after, through: last ?? '' };
    const states = await domains.count(range, bounds);
    const listed = states.filter(({ state }) => listedStates.includes(state));
    stores += total(states.filter(({ state }) => liveStates.includes(state)));
    profiles += total(states);
    // If the last range is full, the page after it would be empty.
    if (states.length > 0) pages.push({ ...range, domains: total(listed), lastCompletedScanAt: latest(listed) });
    if (last === undefined) break;
    after = last;
    await clock.sleep(Math.min(maxPauseMs, clock.monotonicMs() - startedMs), abort);
  }
  const lastPage = pages.at(-1);
  if (lastPage) lastPage.through = '';
  return { countedAt, stores, profiles, pages };
}

const total = (states: readonly StateCount[]) => states.reduce((sum, { stores }) => sum + stores, 0);

function latest(states: readonly StateCount[]): Date | null {
  const times = states.map(({ lastCompletedScanAt }) => lastCompletedScanAt.getTime());
  return times.length === 0 ? null : new Date(Math.max(...times));
}
