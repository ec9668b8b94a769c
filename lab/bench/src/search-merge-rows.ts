import { setTimeout as sleep } from 'node:timers/promises';
import { importStores } from '@shopscope/admin/import-stores';
import { createGrpcClient } from '@shopscope/grpc';
import { ProfilesServiceService } from '@shopscope/proto';
import { generatedDomain, laterObservation } from './generated-stores.ts';
import { createRandom } from './random.ts';
import type { SearchCalls } from './search-calls.ts';
import { servingIndex, versionsOf } from './search-index.ts';
import type { StoreCorpus } from './store-corpus.ts';
import type { Bench } from './system.ts';

const callsPerSecond = 10;
const pollMs = 50;
const drainTimeoutMs = 120_000;
const storesPerPage = 200;
const everything = { status: { none: ['not_a_storefront'] } };

export interface MergeDelays {
  perSecond: number;
  ms: number[];
}

/**
 * Merges random stores at an even rate. A delay begins when profiles has answered a call with merges, and ends when the engine has the
 * sequence of one of its stores. The engine is asked by id, which sees writes that no refresh has shown yet.
 */
export async function measureMergeDelays(
  { system, settings, say }: Bench,
  corpus: StoreCorpus,
  seconds: number,
): Promise<MergeDelays> {
  const perCall = Math.max(1, Math.round(settings.searchMerges / callsPerSecond));
  const perSecond = perCall * callsPerSecond;
  say(`${perSecond} merges per second, for ${seconds} s …`);
  const profiles = createGrpcClient({ definition: ProfilesServiceService, address: system.addresses.PROFILES_ADDRESS });
  const index = await servingIndex(system);
  const random = createRandom(7);
  /** The merges that the engine does not have yet, by domain. */
  const open = new Map<string, { sequence: number; mergedMs: number }>();
  const ms: number[] = [];
  let isMerging = true;
  const merge = async () => {
    const sequence = Date.now();
    const first = random(corpus.stores);
    const numbers = Array.from({ length: perCall }, (_, at) => (first + at) % corpus.stores);
    const scan = { sequence, atMs: sequence };
    const observations = numbers.map((n) => laterObservation(n, corpus.nowMs, scan));
    await profiles.importObservations({ observations, environment: '' });
    open.set(generatedDomain(first), { sequence, mergedMs: performance.now() });
  };
  const send = async () => {
    const startMs = performance.now();
    const sending: Promise<void>[] = [];
    for (let n = 0; n < seconds * callsPerSecond; n++) {
      const waitMs = startMs + (n * 1_000) / callsPerSecond - performance.now();
      if (waitMs > 0) await sleep(waitMs);
      sending.push(merge());
    }
    await Promise.all(sending);
    isMerging = false;
  };
  const look = async () => {
    const endMs = performance.now() + seconds * 1_000 + drainTimeoutMs;
    while (isMerging || open.size > 0) {
      if (performance.now() > endMs) throw new Error(`${open.size} merges are not in the engine after two minutes`);
      const versions = open.size === 0 ? new Map<string, number>() : await versionsOf(system, index, [...open.keys()]);
      for (const [domain, version] of versions) {
        const merged = open.get(domain);
        if (!merged || version < merged.sequence) continue;
        ms.push(performance.now() - merged.mergedMs);
        open.delete(domain);
      }
      await sleep(pollMs);
    }
  };
  try {
    await Promise.all([send(), look()]);
    return { perSecond, ms };
  } finally {
    profiles.close();
  }
}

export interface WalkRow {
  sort: string;
  rows: number;
  pages: number;
  seconds: number;
  /** Merges that ended during the walk. */
  merges: number;
}

/**
 * Walks over the stores of an edition in two orders while stores are merged, again and again until all merges have ended. Throws if a walk
 * has a row twice or lacks one.
 */
export async function measureWalks(
  { system, settings, say }: Bench,
  calls: SearchCalls,
  corpus: StoreCorpus,
): Promise<WalkRow[]> {
  const count = Math.min(settings.searchWalkMerges, corpus.stores);
  say(`Walks of ${settings.searchWalkRows} rows while ${count} stores are merged …`);
  const profiles = createGrpcClient({ definition: ProfilesServiceService, address: system.addresses.PROFILES_ADDRESS });
  const sequence = Date.now();
  const scan = { sequence, atMs: sequence };
  function* stores() {
    for (let n = 0; n < count; n++)
      yield { domain: generatedDomain(n), observations: [laterObservation(n, corpus.nowMs, scan)] };
  }
  let merged = 0;
  let isMerging = true;
  const merging = importStores({
    profiles,
    stores: stores(),
    environment: '',
    onProgress: ({ stores: done }) => {
      merged = done;
    },
  }).finally(() => {
    isMerging = false;
  });
  const walks: WalkRow[] = [];
  try {
    do {
      for (const sort of ['domain', '-last_completed_scan_at']) {
        const before = merged;
        walks.push({ ...(await walk(calls, sort, settings.searchWalkRows)), merges: merged - before });
      }
    } while (isMerging);
    await merging;
    return walks;
  } finally {
    await merging.catch(() => {});
    profiles.close();
  }
}

async function walk(calls: SearchCalls, sort: string, maxRows: number): Promise<Omit<WalkRow, 'merges'>> {
  const startMs = performance.now();
  const { total, edition } = await calls.count(everything);
  const editionId = edition?.id ?? '';
  const domains = new Set<string>();
  let [rows, pages, after, last] = [0, 0, '', ''];
  do {
    const page = await calls.page(everything, { limit: storesPerPage, editionId, after, sort });
    for (const { domain } of page.rows) {
      if (sort === 'domain' && domain <= last) throw new Error(`${domain} comes after ${last}`);
      last = domain;
      domains.add(domain);
    }
    rows += page.rows.length;
    pages += 1;
    after = page.next;
  } while (after !== '' && rows < maxRows);
  if (domains.size !== rows) throw new Error(`${rows - domains.size} rows of the walk are repeated`);
  if (after === '' && rows !== total) throw new Error(`the walk has ${rows} of ${total} rows`);
  if (sort === 'domain') requireNoGap([...domains]);
  return { sort, rows, pages, seconds: (performance.now() - startMs) / 1_000 };
}

/** No generated store between two rows is missing. */
function requireNoGap(domains: readonly string[]): void {
  const generated = domains.filter((domain) => domain.startsWith('generated-'));
  for (const [at, domain] of generated.entries())
    if (domain !== generatedDomain(at)) throw new Error(`the walk lacks ${generatedDomain(at)}`);
}
