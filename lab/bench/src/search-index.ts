import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CpuTimes } from './cpu.ts';
import { createProgress } from './progress.ts';
import type { SearchCalls } from './search-calls.ts';
import type { StoreCorpus } from './store-corpus.ts';
import type { Bench, RunningSystem } from './system.ts';

export interface FilledStores extends StoreCorpus {
  /** The number of stores whose documents were compared with those of merged stores. */
  compared: number;
}

export interface RefillResult {
  corpus: FilledStores;
  refilled: { stores: number; seconds: number; cpuUs: CpuTimes };
  /** The size of the index on disk. */
  bytes: number;
}

const pollMs = 200;
const editionTimeoutMs = 120_000;
/** The default of the service. */
const indexPrefix = 'shopscope-';

/** Fills a new index as `--reindex` does, and resolves to its time when it serves. Rejects if the command fails. */
export async function refill({ root, system, say }: Bench, stores: number): Promise<{ seconds: number }> {
  const startMs = performance.now();
  const child = spawn(process.execPath, [join(root, 'services/search/dist/main.js'), '--reindex'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      SHOPSCOPE_ENV: 'development',
      INSTANCE_ID: 'bench-reindex',
      OPENSEARCH_URL: system.openSearchUrl,
      // A single node has no place for a copy.
      INDEX_REPLICAS: '0',
    },
  });
  const exited = new Promise<number | null>((done) => child.once('exit', done));
  const progress = createProgress({ what: 'stores indexed', total: stores, say });
  for await (const line of createInterface({ input: child.stdout })) {
    const { done } = JSON.parse(line) as { done?: number };
    if (done !== undefined) progress.update(done);
  }
  const code = await exited;
  if (code !== 0) throw new Error(`--reindex ended with ${code}`);
  return { seconds: (performance.now() - startMs) / 1_000 };
}

/** Waits for an edition that is not `before` and has at least this many stores. */
export async function waitForEdition(calls: SearchCalls, stores: number, before = '') {
  const endMs = performance.now() + editionTimeoutMs;
  for (;;) {
    const { edition } = await calls.count({}).catch(() => ({ edition: undefined }));
    if (edition && edition.id !== before && edition.stores >= stores) return edition;
    if (performance.now() > endMs) throw new Error(`no edition of ${stores} stores after two minutes`);
    await sleep(pollMs);
  }
}

/** Resolves to the name of the index that new editions are of. */
export async function servingIndex({ openSearchUrl }: RunningSystem): Promise<string> {
  const found = await askEngine<{ _source: { serving: { name: string } } }>(
    openSearchUrl,
    `${indexPrefix}state/_doc/indexes`,
  );
  return found._source.serving.name;
}

/** Resolves to the version of each document that exists, by id. */
export async function versionsOf(
  { openSearchUrl }: RunningSystem,
  index: string,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const { docs } = await askEngine<{ docs: { _id: string; _version?: number }[] }>(
    openSearchUrl,
    `${index}/_mget?_source=false`,
    { ids },
  );
  return new Map(docs.map(({ _id, _version }) => [_id, _version ?? 0]));
}

/** Resolves to the bytes of the index on disk. */
export async function indexBytes({ openSearchUrl }: RunningSystem, index: string): Promise<number> {
  const stats = await askEngine<{ _all: { primaries: { store: { size_in_bytes: number } } } }>(
    openSearchUrl,
    `${index}/_stats/store`,
  );
  return stats._all.primaries.store.size_in_bytes;
}

async function askEngine<Body>(url: string, path: string, body?: object): Promise<Body> {
  const response = await fetch(new URL(path, url), {
    method: body ? 'POST' : 'GET',
    headers: { 'content-type': 'application/json' },
    body: body ? JSON.stringify(body) : null,
  });
  if (!response.ok) throw new Error(`OpenSearch: ${response.status} ${await response.text()}`);
  return (await response.json()) as Body;
}
