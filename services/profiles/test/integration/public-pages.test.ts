import { vocabulary } from '@shopscope/fingerprint';
import type { GrpcClient } from '@shopscope/grpc';
import type { RunningService } from '@shopscope/lifecycle';
import type { ProfilesServiceService } from '@shopscope/proto';
import { waitUntil } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { day } from '../support/observed.ts';
import { observed } from '../support/observed-event.ts';
import { type Corpus, createCorpus } from './support/corpus.ts';

/** The data of public pages, from observations to responses. */
/** The whole second in which the tests began. */
const startMs = Math.floor(Date.now() / 1_000) * 1_000;
let corpus: Corpus;
let service: RunningService;
let profiles: GrpcClient<typeof ProfilesServiceService>;
const whole = { afterDomain: '', throughDomain: '', limit: 10_000 };

beforeAll(async () => {
  corpus = await createCorpus('profiles-pages');
  service = await corpus.start({ CORPUS_COUNT_INTERVAL_MS: '1000' });
  profiles = corpus.client(service);
  await corpus.publish(
    observed('a.example', 1),
    observed('b.example', 2),
    observed('c.example', 3),
    observed('d.example', 4, { statusState: 'not_a_storefront' }),
    observed('e.example', 5, { statusState: 'closed' }),
  );
  await corpus.settled(service);
  await waitUntil('the corpus to be counted', async () => (await profiles.getCorpus({})).profiles === 5);
});
afterAll(() => corpus?.stop());

describe('counted corpus', () => {
  it('GetCorpus returns the number of live stores, of profiles and of technologies', async () => {
    expect(await profiles.getCorpus({})).toEqual({
      stores: 3,
      profiles: 5,
      technologies: vocabulary.length,
      countedAtMs: expect.any(Number),
    });
  });

  it('an instance that starts has the count of the corpus before its first response', async () => {
    const other = await corpus.start({ INSTANCE_ID: 'other' });
    expect(await corpus.client(other).getCorpus({})).toMatchObject({ stores: 3, profiles: 5 });
    await other.stop();
  });

  it('the time of the count of the corpus is a metric', async () => {
    const metrics = await (await fetch(`${service.adminUrl}/metrics`)).text();
    const seconds = Number(/^profiles_corpus_counted_at_seconds\{[^}]*\} (\S+)$/m.exec(metrics)?.[1]);
    expect(seconds * 1_000).toBeGreaterThanOrEqual(startMs);
    expect(seconds * 1_000).toBeLessThanOrEqual(Date.now());
  });
});

describe('ListDomains', () => {
  it('ListDomains returns the stores that a sitemap lists in ascending order, with the time of their last completed scan', async () => {
    const { domains, hasMore } = await profiles.listDomains(whole);
    const listed = [
      ['a.example', 1],
      ['b.example', 2],
      ['c.example', 3],
      ['e.example', 5],
    ] as const;
    expect(domains).toEqual(listed.map(([domain, n]) => ({ domain, lastCompletedScanAtMs: day(n).getTime() })));
    expect(hasMore).toBe(false);
  });

  it('ListDomains returns the part of a range after a domain, up to a domain and up to a limit', async () => {
    const names = async (query: Partial<typeof whole>) => {
      const { domains, hasMore } = await profiles.listDomains({ ...whole, ...query });
      return [...domains.map(({ domain }) => domain[0]), hasMore];
    };
    expect(await names({ limit: 2 })).toEqual(['a', 'b', true]);
    expect(await names({ afterDomain: 'b.example' })).toEqual(['c', 'e', false]);
    expect(await names({ throughDomain: 'c.example' })).toEqual(['a', 'b', 'c', false]);
    expect(await names({ afterDomain: 'a.example', throughDomain: 'b.example', limit: 1 })).toEqual(['b', false]);
  });

  it('ListDomains has every listed domain in exactly one page, also one that was added after the count', async () => {
    const { pages, countedAtMs } = await profiles.listDomainPages({});
    expect(pages).toEqual([
      { afterDomain: '', throughDomain: '', domains: 4, lastCompletedScanAtMs: day(5).getTime() },
    ]);
    expect(countedAtMs).toBeGreaterThan(0);
    const added = observed('zz.example', 1);
    await corpus.publish(added);
    await corpus.updateOf(added);
    const [page] = pages;
    const { domains } = await profiles.listDomains({
      afterDomain: page?.afterDomain ?? '',
      throughDomain: page?.throughDomain ?? '',
      limit: 10_000,
    });
    expect(domains.at(-1)?.domain).toBe('zz.example');
  });

  it('ListDomains refuses a limit outside 1 to 10,000', async () => {
    for (const limit of [0, 10_001]) {
      await expect(profiles.listDomains({ ...whole, limit })).rejects.toMatchObject({ code: 'invalid_request' });
    }
  });
});
