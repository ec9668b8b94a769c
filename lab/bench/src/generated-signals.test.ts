import { expect, it } from 'vitest';
import { generatedSignal, signalValues } from './generated-signals.ts';

const sizes = { signals: 5_000, stores: 500, nowMs: Date.UTC(2026, 0, 15) };
const signals = Array.from({ length: sizes.signals }, (_, n) => generatedSignal(n, sizes));

it('generated signals are the same in each run, with ids of their own and times of one year', () => {
  expect(generatedSignal(7, sizes)).toEqual(signals[7]);
  expect(new Set(signals.map(({ _id }) => _id)).size).toBe(sizes.signals);
  for (const { effectiveAt, confirmedAt } of signals) expect(confirmedAt >= effectiveAt).toBe(true);
  expect(signals[0]?.effectiveAt.getTime()).toBe(Date.UTC(2025, 0, 15));
});

it('each value of a filter occurs in the generated signals, the first one most often', () => {
  for (const [name, values] of Object.entries(signalValues)) {
    const counts = values.map((value) => signals.filter((signal) => Reflect.get(signal, name) === value).length);
    expect(
      counts.every((count) => count > 0),
      name,
    ).toBe(true);
    expect(Math.max(...counts)).toBe(counts[0]);
    expect(counts[0]).toBeGreaterThan(2 * (counts.at(-1) ?? 0));
  }
});
