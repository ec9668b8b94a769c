import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip as gzipCallback } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { Place } from '../../app/outbound/request-queue.ts';

const gzip = promisify(gzipCallback);

export type StoredPage = Awaited<ReturnType<typeof storable>>;

/** A page that many people read is then rendered seldom, and a new scan is still shown soon. */
export const pageTtlMs = 60_000;
const maxCacheBytes = 64 * 1024 * 1024;
/** Larger pages, such as files of the sitemap, are rendered for each request. */
const maxPageBytes = 512 * 1024;
const bytesPerEntry = 500;

/**
 * Public pages in memory, by address.
 *
 * - Concurrency: requests of one address share one rendering. A request that starts a rendering waits for its own place in the queue, so
 *   that nobody waits for the limit of another caller.
 * - Failures: if a rendering fails or answers 5xx, its result is not stored. If a place is refused, the error is thrown to the caller.
 * - Bounds: {@link maxCacheBytes}, {@link maxPageBytes}, {@link pageTtlMs}.
 */
export function createPageCache(options: { nowMs(): number }) {
  const pages = new LRUCache<string, StoredPage>({
    maxSize: maxCacheBytes,
    maxEntrySize: maxPageBytes,
    sizeCalculation: ({ body, gzipped }, address) => body.length + gzipped.length + address.length + bytesPerEntry,
    ttl: pageTtlMs,
    ttlResolution: 0,
    perf: { now: options.nowMs },
  });
  const rendering = new Map<string, Promise<StoredPage>>();

  const renderOnce = (address: string, render: () => Promise<Response>): Promise<StoredPage> => {
    const shared = rendering.get(address);
    if (shared) return shared;
    const renderOne = async () => {
      const page = await storable(await render());
      if (page.status < 500) pages.set(address, page);
      return page;
    };
    const made = renderOne().finally(() => rendering.delete(address));
    rendering.set(address, made);
    return made;
  };

  return {
    /** Returns the stored page of an address. If there is none, calls `enter` for a place and then `render`. */
    async get(
      address: string,
      { enter, render }: { enter(): Pick<Place, 'begun' | 'leave'>; render(): Promise<Response> },
    ): Promise<{ page: StoredPage; isHit: boolean }> {
      const stored = pages.get(address);
      if (stored) return { page: stored, isHit: true };
      if (rendering.has(address)) return { page: await renderOnce(address, render), isHit: false };
      const place = enter();
      try {
        await place.begun;
        // Another request may have rendered the page meanwhile.
        return { page: pages.get(address) ?? (await renderOnce(address, render)), isHit: false };
      } finally {
        place.leave();
      }
    },
  };
}

export type PageCache = ReturnType<typeof createPageCache>;

async function storable(response: Response) {
  const body = Buffer.from(await response.arrayBuffer());
  return {
    status: response.status,
    type: response.headers.get('Content-Type') ?? 'text/plain; charset=utf-8',
    location: response.headers.get('Location') ?? undefined,
    /** A strong entity tag of the body, including its quotes. */
    etag: `"${hash('sha256', body, 'base64url').slice(0, 22)}"`,
    body,
    gzipped: await gzip(body),
  };
}
