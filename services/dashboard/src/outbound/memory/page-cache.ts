import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip as gzipCallback } from 'node:zlib';
import { AppError } from '@shopscope/errors';
import { LRUCache } from 'lru-cache';

const gzip = promisify(gzipCallback);

/** A rendered page, ready to be sent to anybody. */
export interface StoredPage {
  status: number;
  type: string;
  /** Target of a redirect. */
  location: string | undefined;
  /** A strong entity tag of the body, with its quotes. */
  etag: string;
  body: Buffer;
  gzipped: Buffer;
}

/** Long enough that a page which many people read costs nothing, short enough that a new scan is seen soon. */
export const pageTtlMs = 60_000;
const cacheMaxBytes = 64 * 1024 * 1024;
/** Pages of distinct addresses that are rendered at the same time. */
const rendersMax = 8;
/** Further ones wait, and beyond them requests are refused. */
const waitingMax = 200;
const bytesPerEntry = 500;

/**
 * Public pages in memory, by address.
 *
 * - Concurrency: requests of one address share one rendering. At most {@link rendersMax} addresses are rendered at a time, so a
 *   crawl takes a bounded part of the process and of profiles.
 * - Failures: a rendering that fails, or answers 5xx, is not stored. A full queue -> `unavailable`.
 * - Bounds: {@link cacheMaxBytes}, {@link pageTtlMs}, {@link waitingMax}.
 */
export function createPageCache(options: { nowMs(): number }) {
  const pages = new LRUCache<string, StoredPage>({
    maxSize: cacheMaxBytes,
    sizeCalculation: ({ body, gzipped }, address) => body.length + gzipped.length + address.length + bytesPerEntry,
    ttl: pageTtlMs,
    ttlResolution: 0,
    perf: { now: options.nowMs },
  });
  const rendering = new Map<string, Promise<StoredPage>>();
  const waiting: (() => void)[] = [];
  let running = 0;

  const admitted = async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= rendersMax) {
      if (waiting.length >= waitingMax) throw new AppError('unavailable', 'Too many pages are asked for. Try again.');
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running++;
    }
    try {
      return await work();
    } finally {
      // The place passes to the next one without being free in between.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };

  return {
    /** The stored page of an address, else the page that `render` makes. */
    async get(address: string, render: () => Promise<Response>): Promise<{ page: StoredPage; isHit: boolean }> {
      const stored = pages.get(address);
      if (stored) return { page: stored, isHit: true };
      let made = rendering.get(address);
      if (!made) {
        made = admitted(async () => storable(await render())).finally(() => rendering.delete(address));
        rendering.set(address, made);
      }
      const page = await made;
      if (page.status < 500) pages.set(address, page);
      return { page, isHit: false };
    },
  };
}

export type PageCache = ReturnType<typeof createPageCache>;

async function storable(response: Response): Promise<StoredPage> {
  const body = Buffer.from(await response.arrayBuffer());
  return {
    status: response.status,
    type: response.headers.get('Content-Type') ?? 'text/plain; charset=utf-8',
    location: response.headers.get('Location') ?? undefined,
    etag: `"${hash('sha256', body, 'base64url').slice(0, 22)}"`,
    body,
    gzipped: await gzip(body),
  };
}
