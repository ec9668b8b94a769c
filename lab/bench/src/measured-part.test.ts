import { expect, it } from 'vitest';
import { createMeasuredPart } from './measured-part.ts';

function observed(events: number, readings: readonly (readonly [atMs: number, recorded: number])[]) {
  const part = createMeasuredPart<{ atMs: number }>(events);
  for (const [atMs, recorded] of readings) part.observe(recorded, () => ({ atMs }));
  return part;
}

it('the rate of events counts from the first recorded ones until 90 % of all, without the wait of the last fetch', () => {
  const readings = [
    [0, 0],
    [100, 50],
    [200, 600],
    [300, 899],
    [400, 950],
    [1_900, 1_000],
  ] as const;
  expect(observed(1_000, readings).result()).toEqual({ events: 900, ms: 300, from: { atMs: 100 }, to: { atMs: 400 } });
});

it('events that one batch recorded have no rate, and the message says what to change', () => {
  expect(() =>
    observed(1_000, [
      [0, 0],
      [100, 950],
      [200, 1_000],
    ]).result(),
  ).toThrow('BENCH_EVENTS');
  expect(() =>
    observed(1_000, [
      [0, 0],
      [100, 1_000],
    ]).result(),
  ).toThrow('BENCH_EVENTS');
});
