import { expect, it } from 'vitest';
import { testNamespace } from '../src/index.ts';

it('a test namespace removes its indexes, and only those', async () => {
  const [mine, others] = [testNamespace('mine'), testNamespace('others')];
  const [url, same] = [await mine.openSearchUrl(), await others.openSearchUrl()];
  expect(same).toBe(url);
  const ask = async (method: string, index: string) =>
    (await fetch(`${url.split(',')[0]}/${index}`, { method, signal: AbortSignal.timeout(60_000) })).status;
  const [first, second, foreign] = [`${mine.indexPrefix}a`, `${mine.indexPrefix}b`, `${others.indexPrefix}a`];
  for (const index of [first, second, foreign]) expect(await ask('PUT', index)).toBe(200);
  await mine.cleanup();
  expect([await ask('HEAD', first), await ask('HEAD', second), await ask('HEAD', foreign)]).toEqual([404, 404, 200]);
  await others.cleanup();
});
