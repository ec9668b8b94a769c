import { dayMs } from '@shopscope/clock';
import { canonicalizeDomain } from '@shopscope/domain-name';
import { isGeneratedDomain } from '@shopscope/domain-name/generated-domain';
import type { ObservationCompleted } from '@shopscope/proto';
import { describe, expect, it } from 'vitest';
import { storeDefinitions } from '../stores/index.ts';
import { generatedStores } from './generated-stores.ts';

const nowMs = Date.UTC(2026, 10, 30, 12);
const stores = [...generatedStores(nowMs)];
const slugsOf = ({ technologies }: ObservationCompleted) => technologies.map(({ slug }) => slug);

describe('generated stores of the demo', () => {
  it('generated stores are 2,000, with names that begin with demo-, by which pages recognize them, and no demo store has', () => {
    const domains = stores.map(({ domain }) => domain);
    expect([new Set(domains).size, domains[0], domains.at(-1)]).toEqual([
      2_000,
      'demo-0001.example',
      'demo-2000.example',
    ]);
    for (const domain of domains) {
      expect(domain).toMatch(/^demo-\d{4}\.example$/);
      expect([canonicalizeDomain(domain), isGeneratedDomain(domain)]).toMatchObject([
        { ok: true, value: { domain } },
        true,
      ]);
    }
    expect(storeDefinitions.filter(({ domain }) => isGeneratedDomain(domain))).toEqual([]);
    expect(storeDefinitions.filter(({ domain }) => domains.includes(domain))).toEqual([]);
  });

  it('every observation of a generated store says that the store is generated', () => {
    for (const { observations } of stores) {
      for (const { name, coverageNote } of observations) {
        expect([name, coverageNote]).toEqual([
          expect.stringMatching(/^Generated store \d{4}$/),
          expect.stringContaining('This store is generated for the demo'),
        ]);
      }
    }
  });

  it('the observations of a generated store are in order, of past months, and have the same ids at a later start', () => {
    for (const { observations } of stores) {
      expect(observations.map(({ sequence }) => sequence)).toEqual(observations.map((_, at) => at + 1));
      const times = observations.map(({ completedAtMs }) => completedAtMs);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      expect(times.at(-1)).toBeLessThan(nowMs);
    }
    const first = Math.min(...stores.map(({ observations: [oldest] }) => oldest?.completedAtMs ?? nowMs));
    expect(first).toBeLessThan(nowMs - 90 * dayMs);
    const idsOf = (made: typeof stores) => made.flatMap(({ observations }) => observations.map(({ scanId }) => scanId));
    expect(idsOf([...generatedStores(nowMs + dayMs)])).toEqual(idsOf(stores));
  });

  it('generated stores have many values of each facet, and some have removed an app or moved to another platform', () => {
    const latest = stores.flatMap(({ observations }) => observations.at(-1) ?? []);
    const valuesOf = (value: (seen: ObservationCompleted) => unknown) => new Set(latest.map(value)).size;
    expect(valuesOf(({ platform }) => platform?.slug)).toBeGreaterThanOrEqual(10);
    expect(valuesOf(({ geography }) => geography?.country)).toBeGreaterThanOrEqual(10);
    expect(valuesOf(({ industry }) => industry?.slug)).toBeGreaterThanOrEqual(10);
    expect(valuesOf(({ statusState }) => statusState)).toBe(4);
    expect(new Set(latest.flatMap(slugsOf)).size).toBeGreaterThanOrEqual(50);
    const removed = stores.flatMap(({ observations }) => {
      const [first, last] = [observations[0], observations.at(-1)];
      return first && last ? slugsOf(first).filter((slug) => !slugsOf(last).includes(slug)) : [];
    });
    expect(new Set(removed).size).toBeGreaterThanOrEqual(5);
    const moved = stores.filter(
      ({ observations }) => observations[0]?.platform?.slug !== observations.at(-1)?.platform?.slug,
    );
    expect(moved.length).toBeGreaterThanOrEqual(20);
  });
});
