import { type MagicDomain, magicAnswersOf, magicDomains } from '@shopscope/test-tenant';
import { isNightly } from '@shopscope/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import type { DevEnv } from '../../../src/index.ts';
import { type Asker, createAsker } from '../isolation/asker.ts';
import {
  lookUp,
  lookUpsOf,
  scan,
  scanOf,
  search,
  shownAs,
  shownBy,
  shownWith,
  withoutIdsAndTimes,
} from './magic-look-ups.ts';

const known = magicDomains.filter((row) => !magicAnswersOf(row).fault);
const slow = known.filter(({ domain }) => domain === 'slow.test');
const others = known.filter((row) => !slow.includes(row));
/** Domains whose store a scan changes, whose scan finds their store, and whose scan changes nothing. After a reset, they stand for the others by day. */
const afterReset = ['changes.test', 'unknown.test', 'scan-fails.test'];

/** The unit that is spent, of the requests that do not need `lookup_cached`. */
const unitOf: Record<string, string> = { history: 'history_query', scan: 'refresh_requested' };

/** Every row of the guide's table of domains, over every operation that looks a store up. */
export function describeMagicDomains(system: () => DevEnv): void {
  describe('magic domains', () => {
    let asker: Asker;
    beforeAll(async () => {
      const { secret } = await system().createWorkspace({ environment: 'test' });
      asker = createAsker(system().apiUrls[0] as string, secret);
    });
    const period = async () => (await asker.send({ path: '/v1/usage' })).body.period;

    it.each(magicDomains.map(magicAnswersOf).filter(({ fault }) => fault))(
      'every operation with $domain fails as its row says, with the headers of a real failure, and bills nothing',
      async ({ domain, fault }) => {
        const before = await period();
        for (const [name, ask] of Object.entries({ ...lookUpsOf(domain), scan: scanOf(domain) })) {
          const { status, headers, body } = await asker.send(ask);
          expect([name, status, body.error?.code]).toEqual([name, fault?.status, fault?.code]);
          expect(headers.get('retry-after')).toBe(status === 429 || status === 503 ? '1' : null);
          expect(headers.get('x-shopscope-environment')).toBe('test');
          const spent = status === 402 ? [unitOf[name] ?? 'lookup_cached', before.ends_at] : [undefined, undefined];
          expect([body.error.unit, body.error.reset_at]).toEqual(spent);
        }
        await system().settle();
        expect(await period()).toEqual(before);
      },
    );

    it('a search among all domains finds those of its column, each with its status, before a scan', async () => {
      const found = await search(
        asker,
        magicDomains.map(({ domain }) => domain),
      );
      const answers = magicDomains.map(magicAnswersOf);
      expect(answers.map(({ domain }) => [domain, found.get(domain)])).toEqual(
        answers.map(({ domain, search: state }) => [domain, state]),
      );
    });

    it('every other domain answers as its row says before and after a scan, and the same again after a reset', async () => {
      const first = await answersOf(asker, others);
      expect((await asker.send({ path: '/v1/test/reset', body: {} })).status).toBe(200);
      const { lookup_cached, history_query, refresh_requested } = (await period()).used;
      expect([lookup_cached, history_query, refresh_requested]).toEqual([0, 0, 0]);
      const again = others.filter(({ domain }) => isNightly || afterReset.includes(domain));
      const expected = again.map(({ domain }) => [domain, first.get(domain)]);
      expect(again.length).toBeGreaterThanOrEqual(afterReset.length);
      expect([...(await answersOf(asker, again))]).toEqual(expected);
    });

    it('slow.test answers as its row says, and its scan ends after a minute', { tags: ['nightly'] }, async () => {
      await answersOf(asker, slow);
    });
  });
}

/** Checks the answers of the rows. Returns those of each domain without ids and times. */
async function answersOf(asker: Asker, rows: readonly MagicDomain[]): Promise<Map<string, string[]>> {
  const expected = rows.map((row) => ({ ...magicAnswersOf(row), after: row.after }));
  const lookUps = () => Promise.all(rows.map(({ domain }) => lookUp(asker, domain)));
  const before = await lookUps();
  expect(before.map(shownBy)).toEqual(expected.map(shownAs));
  const jobs = await scan(
    asker,
    rows.map(({ domain }) => domain),
  );
  const ends = jobs.map(({ domain, state, error }) => [domain, state, error?.code]);
  expect(ends).toEqual(expected.map(({ domain, scan: end }) => [domain, end?.state, errorOf(end)]));
  const after = await lookUps();
  expect(after.map(shownBy)).toEqual(
    expected.map(({ domain, enrich, after: scanned }) => shownWith(domain, scanned?.match ?? enrich ?? '')),
  );
  const found = await search(
    asker,
    rows.map(({ domain }) => domain),
  );
  // A scan gives a store that was unknown the status of an active one.
  expect(rows.map(({ domain }) => [domain, found.get(domain)])).toEqual(
    expected.map(({ domain, after: scanned, search: state }) => [domain, scanned ? 'active_storefront' : state]),
  );
  return new Map(rows.map(({ domain }, n) => [domain, [before[n], jobs[n], after[n]].map(withoutIdsAndTimes)]));
}

const errorOf = (end: ReturnType<typeof magicAnswersOf>['scan']) => (end?.state === 'failed' ? end.error : undefined);
