import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createPageCache } from './page-cache.ts';

/** A place in the queue that is free at once. */
const enter = () => ({ begun: Promise.resolve(), leave() {} });
const page = (text = 'page', status = 200) => new Response(text, { status });

describe('page cache', () => {
  it('the page cache renders an address once for all concurrent requests, and again after a minute', async () => {
    let [nowMs, renderings] = [1_000, 0];
    const cache = createPageCache({ nowMs: () => nowMs });
    const render = async () => page(`rendering ${++renderings}`);
    const get = async () => {
      const { page: stored, isHit } = await cache.get('/docs', { enter, render });
      return [stored.body.toString(), isHit];
    };
    expect(await Promise.all([get(), get()])).toEqual([
      ['rendering 1', false],
      ['rendering 1', false],
    ]);
    nowMs = 60_999;
    expect(await get()).toEqual(['rendering 1', true]);
    nowMs = 61_001;
    expect(await get()).toEqual(['rendering 2', false]);
  });

  it('the page cache takes at most 64 MiB, without pages above 512 KiB, and removes the pages that nobody requests', async () => {
    const cache = createPageCache({ nowMs: () => 0 });
    let renderings = 0;
    const get = (address: string, bytes: number) => {
      // Random bytes, because the compressed body counts too.
      const render = async () => {
        renderings++;
        return new Response(randomBytes(bytes));
      };
      return cache.get(address, { enter, render });
    };
    const bytes = 250_000;
    // Each takes its body twice, so 134 of them fit into 64 MiB.
    for (let n = 0; n < 150; n++) await get(`/stores/${n}`, bytes);
    expect((await get('/stores/149', bytes)).isHit).toBe(true);
    expect((await get('/stores/20', bytes)).isHit).toBe(true);
    expect((await get('/stores/10', bytes)).isHit).toBe(false);
    await get('/sitemap', 600_000);
    expect((await get('/sitemap', 600_000)).isHit).toBe(false);
    expect(renderings).toBe(153);
  });

  it('the page cache does not keep a failed rendering', async () => {
    const cache = createPageCache({ nowMs: () => 0 });
    const ask = (render: () => Promise<Response>) => cache.get('/a', { enter, render });
    expect((await ask(async () => page('away', 503))).page.status).toBe(503);
    await expect(ask(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect((await ask(async () => page('back'))).page.body.toString()).toBe('back');
  });

  it('the page cache renders a page in the place of its request in the queue, and leaves each place again', async () => {
    const cache = createPageCache({ nowMs: () => 0 });
    const places = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let [entered, left, renderings] = [0, 0, 0];
    const ask = () =>
      cache.get('/docs', {
        enter: () => ({ begun: (places[entered++] as (typeof places)[number]).promise, leave: () => void left++ }),
        render: async () => page(`rendering ${++renderings}`),
      });
    // The first request is at a limit of its own, so the second request does not wait for it.
    const [limited, other] = [ask(), ask()];
    places[1]?.resolve();
    expect((await other).page.body.toString()).toBe('rendering 1');
    places[0]?.resolve();
    expect((await limited).page.body.toString()).toBe('rendering 1');
    expect([entered, left, renderings]).toEqual([2, 2, 1]);
  });

  it('the page cache renders no page for a request whose place is refused, and renders it for the next one', async () => {
    const cache = createPageCache({ nowMs: () => 0 });
    const refused = () => ({ begun: Promise.reject(new Error('at its limit')), leave() {} });
    const render = async () => page();
    await expect(cache.get('/a', { enter: refused, render })).rejects.toThrow('at its limit');
    expect((await cache.get('/a', { enter, render })).page.status).toBe(200);
  });
});
