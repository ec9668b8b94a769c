import { dayMs, hourMs } from '@shopscope/clock';
import { vocabulary } from '@shopscope/fingerprint';
import { magicAnswersOf, magicDomains } from '@shopscope/test-tenant';
import { describe, expect, it } from 'vitest';
import { keepSignals } from './kept-signal.ts';
import { mergeObservation } from './merge-observation.ts';
import type { MergedStore } from './merged-store.ts';
import { maxBodyBytes, storeBody } from './store-body.ts';
import { type StoreProfile, storeValuesOf } from './store-profile.ts';
import { createTechnologyIndex } from './technology-index.ts';
import { midnightBefore, pastEndMs, pastStore, testObservation } from './test-store.ts';

const { find } = createTechnologyIndex(vocabulary, 'https://site.example');
const startMs = Date.UTC(2026, 5, 10, 15);
const midnightMs = Date.UTC(2026, 5, 10);

/** Returns the store after this number of scans, a minute apart. */
function scanned(domain: string, scans: number, startedAtMs = startMs): MergedStore {
  const scanOf = (n: number) => ({
    domain,
    scanId: `scan-${n}`,
    sequence: n,
    completedAtMs: startedAtMs + n * 60_000,
  });
  let store = pastStore(domain, pastEndMs(scanOf(1), startedAtMs), find);
  for (let n = 1; n <= scans; n++) {
    const merge = mergeObservation(store?.profile ?? null, testObservation(scanOf(n), startedAtMs, find));
    const profile = merge.profile as StoreProfile;
    const record = { values: storeValuesOf(profile), recordedAt: new Date(startedAtMs) };
    store = { profile, signals: keepSignals(store?.signals ?? [], merge.signals, record) };
  }
  return store as MergedStore;
}

const changesOf = ({ signals }: MergedStore) => signals.map(({ signal }) => `${signal.type} ${signal.technology}`);
const slugsOf = ({ profile }: MergedStore) => profile.technologies.map(({ slug }) => slug);

describe('magic domains', () => {
  const stores = magicDomains.filter((magic) => !magicAnswersOf(magic).fault);

  it.each(stores)('$domain has the match and the status of its row before a scan', (magic) => {
    const store = pastStore(magic.domain, midnightMs, find);
    expect(store?.profile.status.state).toBe(magic.state);
    if (!store) return expect(magic.lookUp).toBe('no_match');
    const ageDays = (midnightMs + 24 * hourMs - store.profile.lastCompletedScanAt.getTime()) / dayMs;
    // The freshness of plans is from 3 to 30 days.
    if (magic.lookUp === 'matched') expect(ageDays).toBeLessThan(3);
    else expect(ageDays).toBeGreaterThan(30);
  });

  it.each(stores.filter(({ after }) => after))('$domain has the match of its row after a scan', ({ domain, after }) => {
    const { lastCompletedScanAt } = scanned(domain, after?.scans ?? 0).profile;
    expect([after?.match, lastCompletedScanAt]).toEqual(['matched', new Date(startMs + 60_000)]);
  });

  it('huge.test has 500 technologies and fits into a body', () => {
    const { profile } = pastStore('huge.test', midnightMs, find) as MergedStore;
    expect([profile.technologies.length, profile.scope]).toEqual([500, 'full']);
    expect(storeBody(profile, 'https://site.example').bytes.length).toBeLessThan(maxBodyBytes);
  });

  it('no-catalogue.test has no catalogue', () => {
    expect(pastStore('no-catalogue.test', midnightMs, find)?.profile.catalog.coverage).toBe('none');
  });

  it('redirects.test has another host', () => {
    expect(pastStore('redirects.test', midnightMs, find)?.profile.storefrontHost).toBe('matched.test');
  });

  it('each scan of changes.test adds a technology, and the removal is confirmed six scans later', () => {
    const before = slugsOf(scanned('changes.test', 0));
    for (let scans = 1; scans <= 24; scans++) {
      const changes = changesOf(scanned('changes.test', scans));
      const count = (type: string) => changes.filter((change) => change.startsWith(type)).length;
      expect([count('technology_added'), count('technology_removed')]).toEqual([scans, Math.max(0, scans - 6)]);
    }
    const after = scanned('changes.test', 6);
    expect(slugsOf(after).filter((slug) => !before.includes(slug))).toHaveLength(6);
    expect(after.profile.candidates).toHaveLength(1);
  });

  it.each(['changes.test', 'flaps.test', 'migrates.test'])(
    '%s has the same matches after the same scans on a plan of 30 days, at every hour of the day',
    (domain) => {
      const matchOf = (store: MergedStore, nowMs: number) =>
        nowMs - store.profile.lastCompletedScanAt.getTime() > 30 * dayMs ? 'stale' : 'matched';
      for (let hour = 0; hour < 24; hour++) {
        const startedAtMs = midnightMs + hour * hourMs;
        const frozen = pastStore(domain, midnightMs, find) as MergedStore;
        const matches = [0, 1, 2, 3].map((scans) =>
          matchOf(scanned(domain, scans, startedAtMs), startedAtMs + 300_000),
        );
        expect([hour, matchOf(frozen, startedAtMs), ...matches]).toEqual([
          hour,
          'stale',
          ...['stale', 'stale', 'matched', 'matched'],
        ]);
      }
    },
  );

  it('the scans of changes.test are seven hours apart, from 30 days before the workspace began', () => {
    const times = [0, 1, 2, 3].map((scans) => scanned('changes.test', scans).profile.lastCompletedScanAt.getTime());
    expect(times).toEqual([-1, 0, 1, 2].map((steps) => startMs - 30 * dayMs + steps * 7 * hourMs));
  });

  it('no scan of changes.test has a date after its end', () => {
    const { lastCompletedScanAt } = scanned('changes.test', 120).profile;
    expect(lastCompletedScanAt).toEqual(new Date(startMs + 120 * 60_000));
  });

  it('flaps.test never confirms a removal', () => {
    for (let scans = 1; scans <= 8; scans++) expect(changesOf(scanned('flaps.test', scans))).toEqual([]);
  });

  it('the second scan of migrates.test confirms the other platform', () => {
    expect(scanned('migrates.test', 1).profile.platform.slug).toBe('woocommerce');
    expect(scanned('migrates.test', 2).profile.platform.slug).toBe('shopify');
    expect(changesOf(scanned('migrates.test', 5))).toEqual([
      'technology_added shopify',
      'platform_changed shopify',
      'technology_removed woocommerce',
    ]);
  });

  it('after a reset the same scans have the same signals in the same order, with other ids', () => {
    const shown = (store: MergedStore) =>
      store.profile.recentSignals.map(({ type, technology }) => `${type} ${technology}`);
    const idsOf = ({ signals }: MergedStore) => signals.map(({ signal }) => signal.id);
    for (const domain of ['changes.test', 'migrates.test']) {
      const before = scanned(domain, 12);
      const after = scanned(domain, 12, startMs + 60_000);
      expect([changesOf(after), shown(after)]).toEqual([changesOf(before), shown(before)]);
      expect(idsOf(after).filter((id) => idsOf(before).includes(id))).toEqual([]);
      expect(idsOf(after).filter((id) => !/^evt_[0-9a-z]{26}$/.test(id))).toEqual([]);
      expect(idsOf(scanned(domain, 12))).toEqual(idsOf(before));
    }
  });

  it('a scan of a domain without a store is refused', () => {
    const scan = { domain: 'forbidden.test', scanId: 'scan', sequence: 1, completedAtMs: startMs };
    expect(() => testObservation(scan, startMs, find)).toThrow('domain');
  });
});

describe('generated stores', () => {
  const all = Array.from({ length: 1_000 }, (_, at) => `store-${String(at + 1).padStart(4, '0')}.test`);

  it('all of them are known, a tenth of them stale, and many have signals of every type', () => {
    const stores = all.map((domain) => pastStore(domain, midnightMs, find) as MergedStore);
    const stale = stores.filter(({ profile }) => midnightMs - profile.lastCompletedScanAt.getTime() > 30 * dayMs);
    expect(stale).toHaveLength(100);
    const signals = stores.flatMap((store) => store.signals);
    expect(signals.length).toBeGreaterThan(500);
    expect(new Set(signals.map(({ signal }) => signal.type)).size).toBe(5);
    expect(signals.some(({ signal }) => signal.state === 'retracted')).toBe(true);
  });

  it('a scan shows the store as the latest past scan does', () => {
    const domain = 'store-0001.test';
    expect(slugsOf(scanned(domain, 2))).toEqual(slugsOf(pastStore(domain, midnightMs, find) as MergedStore));
  });

  it('midnight is that of UTC', () => {
    expect(midnightBefore(startMs)).toBe(midnightMs);
  });
});
