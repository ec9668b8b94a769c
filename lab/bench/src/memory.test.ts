import { expect, it } from 'vitest';
import { memoryAt, residentBytes, residentMemory } from './memory.ts';

it('the memory of a process at a time is the median of the ten seconds before it', () => {
  const samples = Array.from({ length: 30 }, (_, n) => ({
    atMs: n * 1_000,
    memory: { gateway: n, metering: n === 28 ? 1_000_000 : 7 },
  }));
  expect(memoryAt(samples, 29_000)).toEqual({ gateway: 25, metering: 7 });
  expect(memoryAt(samples, 4_500)).toEqual({ gateway: 2, metering: 7 });
});

it('resident memory is read from the kernel, and a process that has ended is an error', () => {
  expect(residentBytes('Name:\tnode\nVmRSS:\t   2048 kB\nRssAnon:\t 1 kB\n')).toBe(2_097_152);
  expect(() => residentBytes('Name:\tnode\nState:\tZ (zombie)\n')).toThrow('has ended');
  if (process.platform === 'linux') expect(residentMemory({ own: process.pid }).own).toBeGreaterThan(1_000_000);
});
