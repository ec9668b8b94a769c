import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip as gzipCallback } from 'node:zlib';
import { withTimeout } from '@shopscope/async';
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
/** Larger pages, such as files of the sitemap, are rendered each time. */
const pageMaxBytes = 512 * 1024;
const bytesPerEntry = 500;
/** Pages of the corpus that are rendered at the same time. */
const rendersMax = 4;
/** Further ones wait. Beyond them, or after this time, requests are refused. */
const waitingMax = 100;
const waitingMaxMs = 2_000;

/**
 * Public pages in memory, by address.
 *
 * - Concurrency: requests of one address share one rendering. At most {@link rendersMax} pages of the corpus are rendered at a
 *   time, so a crawl asks profiles for few pages at once. Pages that need no corpus do not wait for those that do.
 * - Failures: a rendering that fails, or answers 5xx, is not stored. A full queue, or {@link waitingMaxMs} in it -> `unavailable`.
 * - Bounds: {@link cacheMaxBytes}, {@link pageMaxBytes}, {@link pageTtlMs}, {@link waitingMax}.
 */
export function createPageCache(options: { nowMs(): number }) {
  const pages = new LRUCache<string, StoredPage>({
    maxSize: cacheMaxBytes,
    maxEntrySize: pageMaxBytes,
    sizeCalculation: ({ body, gzipped }, address) => body.length + gzipped.length + address.length + bytesPerEntry,
    ttl: pageTtlMs,
    ttlResolution: 0,
    perf: { now: options.nowMs },
  });
  const rendering = new Map<string, Promise<StoredPage>>();
  const waiting = new Set<() => void>();
  let running = 0;

  const admitted = async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= rendersMax) {
      if (waiting.size >= waitingMax) throw tooMany();
      const place = Promise.withResolvers<void>();
      waiting.add(place.resolve);
      await withTimeout(place.promise, waitingMaxMs, 'no place to render in time').catch(() => {
        waiting.delete(place.resolve);
        throw tooMany();
      });
    } else {
      running++;
    }
    try {
      return await work();
    } finally {
      // The place passes to the next one without being free in between.
      const [next] = waiting;
      if (next) {
        waiting.delete(next);
        next();
      } else running--;
    }
  };

  return {
    /** The stored page of an address, else the page that `render` makes. `isOfCorpus`: the page needs profiles. */
    async get(
      address: string,
      { isOfCorpus, render }: { isOfCorpus: boolean; render(): Promise<Response> },
    ): Promise<{ page: StoredPage; isHit: boolean }> {
      const stored = pages.get(address);
      if (stored) return { page: stored, isHit: true };
      let made = rendering.get(address);
      if (!made) {
        const renderOne = async () => {
          const page = await storable(await render());
          if (page.status < 500) pages.set(address, page);
          return page;
        };
        made = (isOfCorpus ? admitted(renderOne) : renderOne()).finally(() => rendering.delete(address));
        rendering.set(address, made);
      }
      return { page: await made, isHit: false };
    },
  };
}

const tooMany = () =>
  new AppError('unavailable', 'Too many pages are asked for at the moment. Try again in a second.', {
    details: { retry_after: 1 },
  });

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
