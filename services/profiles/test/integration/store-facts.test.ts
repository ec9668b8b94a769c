import type { GrpcClient } from '@shopscope/grpc';
import type { RunningService } from '@shopscope/lifecycle';
import type { ProfilesServiceService, StoreFacts } from '@shopscope/proto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { day } from '../support/observed.ts';
import { observed, sighting, unanswered } from '../support/observed-event.ts';
import { type Corpus, createCorpus } from './support/corpus.ts';

let corpus: Corpus;
let service: RunningService;
let profiles: GrpcClient<typeof ProfilesServiceService>;

const klaviyo = sighting('klaviyo');
const woocommerce = { slug: 'woocommerce', name: 'WooCommerce', confidence: 'high' };
const removedTwice = 'removed.example';
const moving = 'moving.example';
/** Its removal of klaviyo is refuted. */
const flapping = 'flapping.example';
const hidden = 'hidden.example';
const all = [flapping, hidden, moving, removedTwice];

beforeAll(async () => {
  corpus = await createCorpus('store-facts');
  service = await corpus.start();
  profiles = corpus.client(service);
  await corpus.publish(
    observed(removedTwice, 1, { technologies: [klaviyo] }),
    observed(removedTwice, 2),
    observed(removedTwice, 3),
    // The next full observation agrees, so a later return does not retract the removal.
    observed(removedTwice, 4),
    observed(removedTwice, 5, { technologies: [klaviyo] }),
    observed(moving, 2),
    observed(moving, 3, { platform: woocommerce }),
    observed(moving, 4, { platform: woocommerce }),
    observed(flapping, 1, { technologies: [klaviyo] }),
    observed(flapping, 2),
    observed(flapping, 3),
    observed(flapping, 4, { technologies: [klaviyo] }),
    observed(hidden, 1),
    unanswered('absent.example', 1),
  );
  await corpus.settled(service);
  await corpus.publish(unanswered(hidden, 2));
  await corpus.settled(service);
});
afterAll(() => corpus?.stop());

const factsOf = async (...domains: string[]) => (await profiles.getStoreFacts({ domains })).stores;
const bodyOf = async (domain: string) => (await profiles.getStores({ domains: [domain] })).bodies;
async function pages(limit: number): Promise<StoreFacts[][]> {
  const found: StoreFacts[][] = [];
  for (let afterDomain = ''; ; ) {
    const { stores, hasMore, corpusStores } = await profiles.listStoreFacts({ afterDomain, limit });
    expect(corpusStores).toBe(all.length);
    found.push(stores);
    if (!hasMore) return found;
    afterDomain = stores.at(-1)?.domain ?? '';
  }
}

describe('GetStoreFacts', () => {
  it('GetStoreFacts returns the body of a look-up, the sequence that made it and the first scan', async () => {
    const [facts] = await factsOf(moving);
    const body = await bodyOf(moving);
    expect(facts).toMatchObject({
      domain: moving,
      storefrontId: JSON.parse(body.toString()).storefront_id,
      sequence: 4,
      firstScanAtMs: day(2).getTime(),
      lastChangedAtMs: day(4).getTime(),
    });
    expect(Buffer.from(facts?.body ?? []).equals(body)).toBe(true);
  });

  it('GetStoreFacts returns a confirmed removal whose technology has returned as a later addition', async () => {
    const [facts] = await factsOf(flapping, removedTwice).then((stores) => stores.slice(1));
    expect(facts?.lastChangedAtMs).toBe(day(5).getTime());
    expect(facts?.removed).toEqual([
      {
        technology: 'klaviyo',
        signalId: expect.stringMatching(/^evt_/),
        effectiveAtMs: day(2).getTime(),
        confirmedAtMs: day(3).getTime(),
      },
    ]);
  });

  it('GetStoreFacts returns confirmed moves, and neither candidates nor retracted changes', async () => {
    const [retracted, , moved] = await factsOf(flapping, hidden, moving);
    expect(retracted).toMatchObject({ removed: [], moved: [], lastChangedAtMs: undefined });
    expect(moved?.removed).toEqual([]);
    const times = { effectiveAtMs: day(3).getTime(), confirmedAtMs: day(4).getTime() };
    expect(moved?.moved).toEqual([
      { from: 'shopify', to: 'woocommerce', signalId: expect.stringMatching(/^evt_/), ...times },
    ]);
  });

  it('an observation that a profile does not show leaves the facts unchanged', async () => {
    expect(await factsOf(hidden)).toMatchObject([{ sequence: 1, firstScanAtMs: day(1).getTime() }]);
  });

  it('GetStoreFacts covers domains that are not in the corpus, and refuses more than 100', async () => {
    const answer = await profiles.getStoreFacts({ domains: ['absent.example', moving, 'unknown.example'] });
    expect(answer.stores.map(({ domain }) => domain)).toEqual([moving]);
    expect(answer.domainsCovered).toBe(3);
    const tooMany = Array.from({ length: 101 }, (_, n) => `shop-${n}.example`);
    await expect(profiles.getStoreFacts({ domains: tooMany })).rejects.toMatchObject({ code: 'invalid_request' });
  });
});

describe('ListStoreFacts', () => {
  it('pages of every size have each store once, by ascending domain, with the facts of GetStoreFacts', async () => {
    const whole = await factsOf(...all);
    for (const limit of [1, 2, 3, 4, 500]) {
      const found = await pages(limit);
      expect(found.flat()).toEqual(whole);
      expect(found.every((page) => page.length <= limit)).toBe(true);
    }
  });

  it('ListStoreFacts refuses limits outside of 1 to 500', async () => {
    for (const limit of [0, 501])
      await expect(profiles.listStoreFacts({ afterDomain: '', limit })).rejects.toMatchObject({
        code: 'invalid_request',
      });
  });
});

describe('facts of the test tenant', () => {
  const workspaceId = `ws_${'1'.padStart(26, '0')}`;
  const ofTest = { origin: { requestId: 'req_test', traceparent: '', environment: 'test' as const } };

  it('a walk over the test tenant has each store of the workspace once, with the body of a look-up', async () => {
    const found: StoreFacts[] = [];
    for (let afterDomain = '', hasMore = true; hasMore; afterDomain = found.at(-1)?.domain ?? '') {
      const page = await profiles.listStoreFacts({ afterDomain, limit: 300, workspaceId }, ofTest);
      found.push(...page.stores);
      hasMore = page.hasMore;
    }
    const domains = found.map(({ domain }) => domain);
    expect(domains).toEqual([...new Set(domains)].sort());
    expect(domains.length).toBeGreaterThan(1_000);
    const { bodies } = await profiles.getStores({ domains: ['matched.test'], workspaceId }, ofTest);
    const [matched] = (await profiles.getStoreFacts({ domains: ['matched.test'], workspaceId }, ofTest)).stores;
    expect(Buffer.from(matched?.body ?? []).equals(bodies)).toBe(true);
    expect(found.find(({ domain }) => domain === 'matched.test')).toEqual(matched);
  });
});
