import { ManualClock } from '@shopscope/clock';
import { expect, it } from 'vitest';
import { createRecentPages, freshMs, maxPages } from './recent-pages.ts';

function start() {
  const clock = new ManualClock();
  const pages = createRecentPages<number>(clock);
  let calls = 0;
  const read = (key: string) => pages.read(key, async () => ++calls);
  return { clock, pages, read };
}

it('all readers of one page share one call until the page is old', async () => {
  const { clock, read } = start();
  expect(await Promise.all([read('a'), read('a'), read('b')])).toEqual([1, 1, 2]);
  clock.advance(freshMs - 1);
  expect(await read('a')).toBe(1);
  clock.advance(1);
  expect(await read('a')).toBe(3);
});

it('a failed call is repeated by the next reader', async () => {
  const { pages, read } = start();
  await expect(pages.read('a', () => Promise.reject(new Error('no answer')))).rejects.toThrow('no answer');
  expect(await read('a')).toBe(1);
});

it('the number of kept pages is bounded, and the page that was read first leaves first', async () => {
  const { read } = start();
  for (let n = 0; n <= maxPages; n++) await read(String(n));
  expect(await read('1')).toBe(2);
  expect(await read('0')).toBe(maxPages + 2);
});
