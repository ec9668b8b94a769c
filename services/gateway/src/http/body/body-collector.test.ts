import { expect, it } from 'vitest';
import { createBodyCollector } from './body-collector.ts';

it.each([1, 7, 16_384, 262_144])('chunks of %i bytes give the whole body in at most twice its memory', (chunkBytes) => {
  const body = Buffer.from(Array.from({ length: 262_144 }, (_, i) => i % 251));
  const collector = createBodyCollector();
  for (let at = 0; at < body.length; at += chunkBytes) collector.add(body.subarray(at, at + chunkBytes));
  const taken = collector.take();
  expect(taken.equals(body)).toBe(true);
  expect(taken.buffer.byteLength).toBeLessThanOrEqual(2 * body.length);
});

it('the body collector does not change the chunks of its caller', () => {
  const first = Buffer.from('first ');
  const collector = createBodyCollector();
  collector.add(first);
  collector.add(Buffer.from('second'));
  expect([collector.take().toString(), first.toString()]).toEqual(['first second', 'first ']);
  collector.clear();
  expect(collector.take()).toHaveLength(0);
});
