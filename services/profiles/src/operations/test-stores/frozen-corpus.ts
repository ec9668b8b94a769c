import { setImmediate } from 'node:timers/promises';
import type { Clock } from '@shopscope/clock';
import { corpusDomains, isSeries } from '@shopscope/test-tenant/observations';
import type { KeptSignal } from '../../domain/kept-signal.ts';
import { storeBody } from '../../domain/store-body.ts';
import { midnightBefore, pastStore } from '../../domain/test-store.ts';
import type { SequencedBody } from '../../outbound/mongo/store-bodies.ts';
import type { Dependencies } from '../dependencies.ts';

/** A store that no workspace has scanned. */
export interface FrozenStore {
  body: SequencedBody;
  signals: readonly KeptSignal[];
}

type StartedAt = () => Promise<number | undefined>;

export type FrozenCorpus = ReturnType<typeof createFrozenCorpus>;

/** The time between two slices belongs to other calls. A slice takes some milliseconds. */
const storesPerSlice = 10;

/**
 * The stores that every workspace of the test tenant has before its first scan. Their dates move at midnight (UTC), so that fresh profiles
 * stay fresh.
 *
 * - A series has the dates of the workspace from its start on, so its dates never step back. The three of them are made at each read.
 * - A store is made when it is first read on a day. No call blocks others: after each slice of stores, other calls run.
 * - Concurrent calls may make a store twice. Both are equal.
 * - Bound: about 1,000 stores of one day, 8 MB. Those of the day before are forgotten.
 */
export function createFrozenCorpus({
  clock,
  technologies,
  siteUrl,
}: Pick<Dependencies, 'technologies' | 'siteUrl'> & { clock: Pick<Clock, 'now'> }) {
  const domains: ReadonlySet<string> = new Set(corpusDomains);
  let day = { midnightMs: Number.NaN, stores: new Map<string, FrozenStore>() };

  const make = (domain: string, midnightMs: number): FrozenStore | undefined => {
    const store = pastStore(domain, midnightMs, technologies.find);
    if (!store) return undefined;
    const { bytes, etag } = storeBody(store.profile, siteUrl);
    const { sequence, firstScanAt, lastCompletedScanAt } = store.profile;
    return { body: { body: bytes, etag, sequence, firstScanAt, lastCompletedScanAt }, signals: store.signals };
  };

  /** Returns the stores of these domains that the corpus has. `startedAtMs` returns the start of the workspace, or undefined before it. */
  async function find(wanted: Iterable<string>, startedAtMs: StartedAt): Promise<Map<string, FrozenStore>> {
    const midnightMs = midnightBefore(clock.now());
    if (day.midnightMs !== midnightMs) day = { midnightMs, stores: new Map() };
    const { stores } = day;
    const found = new Map<string, FrozenStore>();
    const startMs = [...wanted].some(isSeries) ? await startedAtMs() : undefined;
    let made = 0;
    for (const domain of wanted) {
      if (!domains.has(domain)) continue;
      const isDated = startMs !== undefined && isSeries(domain);
      let store = isDated ? make(domain, startMs) : stores.get(domain);
      if (!store) {
        if (made > 0 && made % storesPerSlice === 0) await setImmediate();
        made++;
        store = make(domain, midnightMs);
        if (store) stores.set(domain, store);
      }
      if (store) found.set(domain, store);
    }
    return found;
  }

  return { size: domains.size, find, all: (startedAtMs: StartedAt) => find(domains, startedAtMs) };
}
