import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createPageCache } from './page-cache.ts';

const page = (text = 'page', status = 200) => new Response(text, { status });

describe('the pages in memory', () => {
  it('render an address once for all who ask at the same time, and again after a minute', async () => {
    let [nowMs, renderings] = [1_000, 0];
    const cache = createPageCache({ nowMs: () => nowMs });
    const render = async () => page(`rendering ${++renderings}`);
    const get = async () => {
      const { page: stored, isHit } = await cache.get('/docs', { isOfCorpus: false, render });
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

  it('take at most 64 MiB, without pages above 512 KiB: the addresses that nobody asks for make room', async () => {
    const cache = createPageCache({ nowMs: () => 0 });
    let renderings = 0;
    const get = (address: string, bytes: number) => {
      // Random bytes, because the compressed body counts too.
      const render = async () => {
        renderings++;
        return new Response(randomBytes(bytes));
      };
      return cache.get(address, { isOfCorpus: false, render });
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

  it('do not keep what failed', async () => {
    const cache = createPageCache({ nowMs: () => 0 });
    const ask = (render: () => Promise<Response>) => cache.get('/a', { isOfCorpus: true, render });
    expect((await ask(async () => page('away', 503))).page.status).toBe(503);
    await expect(ask(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect((await ask(async () => page('back'))).page.body.toString()).toBe('back');
  });

  it('render four pages of the corpus at a time, refuse too many, and render others meanwhile', async () => {
    const cache = createPageCache({ nowMs: () => 0 });
    const hanging = Promise.withResolvers<Response>();
    let started = 0;
    const asked = Array.from({ length: 104 }, (_, n) =>
      cache.get(`/stores/${n}`, {
        isOfCorpus: true,
        render: async () => {
          started++;
          return (await hanging.promise).clone();
        },
      }),
    );
    await expect(cache.get('/stores/more', { isOfCorpus: true, render: async () => page() })).rejects.toMatchObject({
      code: 'unavailable',
    });
    expect(started).toBe(4);
    expect((await cache.get('/docs', { isOfCorpus: false, render: async () => page('docs') })).page.status).toBe(200);
    hanging.resolve(page('store'));
    expect((await Promise.all(asked)).every(({ page: { status } }) => status === 200)).toBe(true);
    expect(started).toBe(104);
  });
});
