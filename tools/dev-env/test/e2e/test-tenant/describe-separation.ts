import { isNightly } from '@shopscope/testing';
import { describe, expect, it } from 'vitest';
import type { DevEnv } from '../../../src/index.ts';
import { createAsker } from '../isolation/asker.ts';
import { lookUp, scan, scanOf, shownBy, shownWith, withoutIdsAndTimes } from './magic-look-ups.ts';

/** Workspaces of the test tenant, and the live and the test environment, do not see the stores of each other. */
export function describeSeparation(system: () => DevEnv): void {
  const askerOf = async (environment: 'live' | 'test') =>
    createAsker(system().apiUrls[0] as string, (await system().createWorkspace({ environment })).secret);

  describe('stores of the test tenant', () => {
    it('the scans of a workspace change its stores and signals, and those of no other workspace', async () => {
      const [scanning, other] = [await askerOf('test'), await askerOf('test')];
      const before = await lookUp(other, 'changes.test');
      const shown = async () => {
        const { getStore, history } = (await lookUp(scanning, 'changes.test')).answers;
        const slugs: string[] = getStore.body.store.technologies.map(({ slug }: { slug: string }) => slug);
        const types: string[] = history.body.data.map(({ type }: { type: string }) => type).sort();
        return { has: slugs.includes('hotjar'), types };
      };
      const added = (count: number) => Array(count).fill('technology_added');

      // The first scan adds hotjar, and scan 6 misses it. By day, profiles alone tests the whole series.
      const scans = isNightly ? 6 : 2;
      for (let n = 1; n <= scans; n++) await scan(scanning, ['changes.test']);
      expect(await shown()).toEqual({ has: true, types: added(scans) });
      if (isNightly) {
        await scan(scanning, ['changes.test']);
        const types = [...added(7), 'technology_removed'];
        expect(await shown(), 'scan 7 confirms the removal').toEqual({ has: false, types });
      }
      const after = await lookUp(other, 'changes.test');
      expect(withoutIdsAndTimes(shownBy(after))).toBe(withoutIdsAndTimes(shownBy(before)));
      expect(after.answers.getStore.text).toBe(before.answers.getStore.text);
      expect(after.answers.history.body.data).toEqual(before.answers.history.body.data);
      expect((await other.send({ path: '/v1/jobs' })).body.data).toEqual([]);
    });

    it.each(['live', 'test'] as const)('a %s key does not find a store of the other environment', async (own) => {
      const asker = await askerOf(own);
      const domain = own === 'live' ? 'matched.test' : await scannedLive(await askerOf('live'));
      expect(shownBy(await lookUp(asker, domain))).toEqual(shownWith(domain, 'no_match'));
      const refreshed = await asker.send({ path: '/v1/stores/enrich', body: { domains: [domain], refresh: true } });
      expect(refreshed.body.results[0]).toMatchObject({ match: 'no_match', scan_job_id: null });
      const refused = await asker.send(scanOf(domain));
      expect([refused.status, refused.body.error.code]).toEqual([400, 'invalid_request']);
      expect((await asker.send({ path: '/v1/jobs' })).body.data).toEqual([]);
    });
  });

  async function scannedLive(asker: Awaited<ReturnType<typeof askerOf>>): Promise<string> {
    const domain = system().demoStores.domains[0]?.domain ?? '';
    await scan(asker, [domain]);
    expect(shownBy(await lookUp(asker, domain)).matches[0]).toBe('matched');
    return domain;
  }
}
