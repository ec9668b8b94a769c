import { readFileSync } from 'node:fs';
import { dayMs, hourMs } from '@shopscope/clock';
import { countries, industrySlugs, vocabulary } from '@shopscope/fingerprint';
import { describe, expect, it } from 'vitest';
import { isDomainOf } from './domains.ts';
import { countGenerated } from './generated/counts.ts';
import { guideTables, withTables } from './guide-tables.ts';
import { magicAnswersOf, magicDomains } from './magic-domains.ts';
import { corpusDomains, pastObservations, scanDateMs, scanObservation } from './observations.ts';
import { simulatedScanOf } from './simulated-scan.ts';

const endMs = Date.UTC(2026, 5, 10);
const scan = { scanId: 'scan', sequence: 1, completedAtMs: endMs };

describe('docs/guides/test-tenant.md', () => {
  it('the tables of the guide are those of the data', () => {
    const guide = readFileSync(new URL('../../../docs/guides/test-tenant.md', import.meta.url), 'utf8');
    expect(withTables(guide, guideTables())).toBe(guide);
  });
});

describe('magic domains', () => {
  it.each(magicDomains)('the row of $domain agrees with what its scans find', (magic) => {
    const { domain, lookUp, purpose } = magic;
    const { fault, enrich: match, scan: end, search } = magicAnswersOf(magic);
    expect(isDomainOf('test', domain)).toBe(true);
    if (fault) return expect([lookUp, purpose]).toEqual([fault.code, `\`${fault.code}\``]);
    expect(corpusDomains.includes(domain)).toBe(match !== 'no_match');
    expect(pastObservations(domain, endMs).at(-1)?.statusState).toBe(search);
    if (end?.state === 'succeeded') expect(scanObservation(domain, scan)).toMatchObject({ domain, sequence: 1 });
  });

  it('every scan that succeeds finds a store', () => {
    for (const domain of [...corpusDomains, ...magicDomains.map((magic) => magic.domain)]) {
      if (simulatedScanOf(domain).failure) continue;
      expect([domain, scanObservation(domain, scan)?.domain]).toEqual([domain, domain]);
    }
  });
});

describe('observations', () => {
  const all = corpusDomains.flatMap((domain) => pastObservations(domain, endMs));

  it('every value of every store is in the vocabulary', () => {
    const slugs = new Set(vocabulary.map(({ slug }) => slug));
    const unknown = all
      .flatMap(({ technologies }) => technologies.map(({ slug }) => slug))
      .filter((slug) => !slugs.has(slug));
    expect([...new Set(unknown)]).toEqual([]);
    for (const { geography, industry } of all) {
      expect([...countries, 'ZZ']).toContain(geography?.country);
      expect([...industrySlugs, 'unclassified']).toContain(industry?.slug);
    }
  });

  it('a store is the same each time it is made', () => {
    expect(corpusDomains.flatMap((domain) => pastObservations(domain, endMs))).toEqual(all);
  });

  it('the past observations of a store are at least seven days apart, and their sequences end with 0', () => {
    for (const domain of corpusDomains) {
      const past = pastObservations(domain, endMs);
      expect(past.at(-1)?.sequence).toBe(0);
      for (const [at, { completedAtMs }] of past.entries())
        if (at > 0) expect(completedAtMs - (past[at - 1]?.completedAtMs ?? 0)).toBeGreaterThanOrEqual(7 * dayMs);
    }
  });

  it('scans of a series are seven hours apart, and none is later than its end', () => {
    const dateOf = (sequence: number) => scanDateMs('changes.test', { sequence, completedAtMs: endMs }, endMs);
    const past = pastObservations('changes.test', endMs);
    expect(dateOf(1)).toBe(endMs - 30 * dayMs);
    expect(past.at(-1)?.completedAtMs).toBe(dateOf(1) - 7 * hourMs);
    expect(dateOf(2) - dateOf(1)).toBe(7 * hourMs);
    expect(dateOf(500)).toBe(endMs);
    expect(scanDateMs('stale.test', scan, endMs - dayMs)).toBe(endMs);
  });

  it('the published numbers are those of the latest observations', () => {
    const { stores, stale, platform } = countGenerated();
    const latest = corpusDomains
      .filter((domain) => domain.startsWith('store-'))
      .map((domain) => pastObservations(domain, endMs).at(-1));
    const old = latest.filter((observation) => endMs - (observation?.completedAtMs ?? 0) > 30 * dayMs);
    expect([latest.length, old.length]).toEqual([stores, stale]);
    for (const [slug, count] of platform)
      expect([slug, latest.filter((observation) => observation?.platform?.slug === slug).length]).toEqual([
        slug,
        count,
      ]);
  });
});
