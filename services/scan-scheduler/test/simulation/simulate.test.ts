import { seededRandom } from '@shopscope/testing/random';
import { describe, expect, it } from 'vitest';
import { createIdHeap } from './heap.ts';
import { jainIndex } from './measures.ts';
import { policy, simulate } from './simulate.ts';

describe('simulation of scanning', () => {
  const options = {
    seed: 1,
    domains: 200_000,
    workspaces: 100,
    requestsPerDay: 200_000,
    hours: 6,
    slots: 15,
    shortage: { fromHour: 2, toHour: 4, slots: 5 },
  };
  const fair = simulate({ ...options, isFair: true });
  const firstCome = simulate({ ...options, isFair: false });

  it('a simulation of scanning starves no workspace and gives the same to all that wait, with the order of the domain layer', () => {
    expect(fair.starved).toBe(0);
    expect(fair.jain.windows).toBeGreaterThan(5);
    expect(fair.jain.lowest).toBeGreaterThan(0.9);
  });

  it('a simulation of scanning shows that first come, first served is not fair', () => {
    expect(firstCome.jain.mean).toBeLessThan(0.5);
    const [small, alsoSmall] = [fair, firstCome].map(({ classes }) => classes.find(({ jobs }) => jobs > 0));
    expect(small?.name).toBe(alsoSmall?.name);
    expect(alsoSmall?.p99Ms).toBeGreaterThan(2 * (small?.p99Ms ?? Number.NaN));
  });

  it('a simulation of scanning keeps the pause between visits of a domain', () => {
    expect(fair.mostVisitsOfDomain).toBeGreaterThan(10);
    expect(fair.shortestPauseMs).toBeGreaterThanOrEqual(policy.visitIntervalMs);
  });

  it('a simulation of scanning meets the same requests in each order, and has the same result for the same seed', () => {
    expect(firstCome.requests).toBe(fair.requests);
    expect(simulate({ ...options, isFair: true })).toEqual(fair);
  });
});

describe('simulation with limits', () => {
  const options = {
    seed: 1,
    domains: 20_000,
    workspaces: 100,
    requestsPerDay: 200_000,
    hours: 6,
    slots: 100,
    shortage: { fromHour: 2, toHour: 4, slots: 5 },
    isFair: true,
  };
  const pacing = {
    platforms: [{ name: 'large', share: 0.5, requestsPerSecond: 15 }],
    addressRequestsPerSecond: 5,
    domainsPerAddress: 20,
  };
  const unlimited = { ...pacing, platforms: [{ name: 'large', share: 0.5, requestsPerSecond: 1_000 }] };

  it('a simulation with limits keeps the limit of each target in each minute, and starves no workspace', () => {
    const { targets, starved } = simulate({ ...options, pacing });
    expect(starved).toBe(0);
    expect(targets?.mostParked).toBeGreaterThan(100);
    for (const { limit, visits, mostRequestsPerSecond } of targets?.rows ?? []) {
      expect(visits).toBeGreaterThan(1_000);
      // A turn of the minute before may be used in this one.
      expect(mostRequestsPerSecond).toBeLessThanOrEqual(limit * 1.1);
    }
    const [large] = simulate({ ...options, pacing: unlimited }).targets?.rows ?? [];
    expect(large?.mostRequestsPerSecond).toBeGreaterThan(30);
  });
});

describe('the heap of the simulation', () => {
  it('the heap of the simulation returns ids in the order of their keys, also of keys that have become lower', () => {
    const random = seededRandom(7);
    const keys = Array.from({ length: 500 }, () => Math.floor(random() * 100));
    const heap = createIdHeap((a, b) => (keys[a] as number) < (keys[b] as number));
    for (const id of keys.keys()) heap.push(id);
    for (let n = 0; n < 200; n++) {
      const id = Math.floor(random() * keys.length);
      keys[id] = (keys[id] as number) - Math.floor(random() * 50);
      heap.raise(id);
    }
    const order = keys.map(() => keys[heap.pop()]);
    expect(order).toEqual([...keys].sort((a, b) => a - b));
    expect(heap.pop()).toBe(-1);
  });
});

it("Jain's index is 1 for equal shares and 1/n when one has everything", () => {
  expect(jainIndex([3, 3, 3])).toBe(1);
  expect(jainIndex([0, 0, 5, 0])).toBe(0.25);
});
