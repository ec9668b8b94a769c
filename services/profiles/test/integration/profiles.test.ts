import { vocabulary } from '@shopscope/fingerprint';
import type { GrpcClient } from '@shopscope/grpc';
import type { RunningService } from '@shopscope/lifecycle';
import { MergeOutcome, type ProfilesServiceService } from '@shopscope/proto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { day } from '../support/observed.ts';
import { observed, sighting, unanswered } from '../support/observed-event.ts';
import { type Corpus, createCorpus, siteUrl } from './support/corpus.ts';

let corpus: Corpus;
let service: RunningService;
let profiles: GrpcClient<typeof ProfilesServiceService>;

beforeAll(async () => {
  corpus = await createCorpus('profiles');
  service = await corpus.start();
  profiles = corpus.client(service);
});
afterAll(() => corpus?.stop());

async function get(...domains: string[]) {
  const { bodies, stores } = await profiles.getStores({ domains });
  return stores.map(({ offset, length, ...rest }) => ({ ...rest, body: bodies.subarray(offset, offset + length) }));
}

async function shown(domain: string) {
  const [store] = await get(domain);
  return JSON.parse(store?.body.toString() ?? '');
}

describe('merge of observations', () => {
  it('a repeated observation is merged once and published once', async () => {
    const first = observed('twice.example', 1);
    const second = observed('twice.example', 2, { technologies: [sighting('woocommerce')] });
    await corpus.publish(first, second, second, first);
    await corpus.publish(second);
    await corpus.settled(service);
    const updates = corpus.updates.filter(({ domain }) => domain === 'twice.example');
    expect(updates.map(({ sequence, confirmations }) => [sequence, confirmations.length])).toEqual([
      [1, 0],
      [2, 1],
    ]);
    expect(await corpus.db.collection('observations').countDocuments({ domain: 'twice.example' })).toBe(2);
    expect(await corpus.db.collection('signals').countDocuments({ domain: 'twice.example' })).toBe(1);
    expect((await shown('twice.example')).recent_signals).toHaveLength(1);
  });

  it('a scan is merged once although its second attempt has a higher sequence', async () => {
    const attempt = observed('attempts.example', 1);
    await corpus.publish(attempt, { ...attempt, sequence: 2, name: 'Second attempt' });
    await corpus.settled(service);
    expect((await shown('attempts.example')).name).toBe('Shop');
  });

  it('an observation with a lower sequence changes nothing, and its update names the sequence that superseded it', async () => {
    const newer = observed('order.example', 7, { name: 'Newer' });
    await corpus.publish(newer);
    const before = await corpus.updateOf(newer);
    const late = observed('order.example', 3, { name: 'Older' });
    await corpus.publish(late);
    expect(await corpus.updateOf(late)).toMatchObject({
      outcome: MergeOutcome.REJECTED,
      reason: 'superseded',
      etag: before.etag,
      profileSequence: 7,
    });
    expect((await shown('order.example')).name).toBe('Newer');
  });

  it('a profile update is published only after look-ups return the merge', async () => {
    for (const sequence of [1, 2, 3, 4, 5]) {
      const event = observed('visible.example', sequence, { name: `Shop ${sequence}` });
      await corpus.publish(event);
      const update = await corpus.updateOf(event);
      const [store] = await get('visible.example');
      expect(update).toMatchObject({ outcome: MergeOutcome.MERGED, reason: '', completedAtMs: event.completedAtMs });
      expect(store).toMatchObject({ etag: update.etag, lastCompletedScanAtMs: event.completedAtMs });
      expect(JSON.parse(store?.body.toString() ?? '').name).toBe(`Shop ${sequence}`);
    }
  });

  it('a domain that does not respond stays unknown, and the update of its scan has the reason', async () => {
    const event = unanswered('dead.example', 1, 'dns_failure');
    await corpus.publish(event);
    expect(await corpus.updateOf(event)).toMatchObject({
      outcome: MergeOutcome.REJECTED,
      reason: 'dns_failure',
      etag: '',
    });
    expect(await get('dead.example')).toMatchObject([{ body: Buffer.alloc(0), etag: '' }]);
  });

  it('one failed scan does not close a store: its body stays unchanged until a second scan confirms the failure', async () => {
    const [open, firstOutage, secondOutage] = [
      observed('outage.example', 1),
      unanswered('outage.example', 2),
      unanswered('outage.example', 3),
    ] as const;
    await corpus.publish(open);
    await corpus.updateOf(open);
    const before = await get('outage.example');
    await corpus.publish(firstOutage);
    expect(await corpus.updateOf(firstOutage)).toMatchObject({ outcome: MergeOutcome.REJECTED, reason: 'timeout' });
    expect(await get('outage.example')).toEqual(before);
    await corpus.publish(secondOutage);
    expect(await corpus.updateOf(secondOutage)).toMatchObject({ outcome: MergeOutcome.MERGED });
    expect(await shown('outage.example')).toMatchObject({
      status: { state: 'unreachable' },
      recent_signals: [
        { type: 'status_changed', effective_at: day(2).toISOString(), confirmed_at: day(3).toISOString() },
      ],
    });
  });

  it('every signal is kept with its state: confirmed, retracted, discarded or candidate', async () => {
    const app = sighting('woocommerce');
    const seen = (sequence: number, ...technologies: (typeof app)[]) =>
      observed('signals.example', sequence, { technologies });
    const last = seen(11);
    const returned = [seen(3, app), seen(4), seen(5), seen(6), seen(7, app), seen(8), seen(9), seen(10, app)];
    await corpus.publish(seen(1, app), seen(2), ...returned, last);
    await corpus.updateOf(last);
    const signals = await corpus.db
      .collection('signals')
      .find({ domain: 'signals.example' })
      .sort({ effectiveAt: 1 })
      .toArray();
    expect(signals.map(({ type, state, effectiveAt, confirmedAt }) => [type, state, effectiveAt, confirmedAt])).toEqual(
      [
        ['technology_removed', 'discarded', day(2), null],
        ['technology_removed', 'confirmed', day(4), day(5)],
        ['technology_added', 'confirmed', day(7), day(7)],
        ['technology_removed', 'retracted', day(8), day(9)],
        ['technology_removed', 'candidate', day(11), null],
      ],
    );
  });

  it('updates of a domain are published in the order of its sequences', async () => {
    const events = Array.from({ length: 40 }, (_, i) => observed(`order-${i % 4}.example`, Math.floor(i / 4) + 1));
    await corpus.publish(...events);
    await corpus.settled(service);
    for (const n of [0, 1, 2, 3]) {
      const sequences = corpus.updates.filter(({ domain }) => domain === `order-${n}.example`).map((u) => u.sequence);
      expect(sequences).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    }
  });

  it('an event that cannot be decoded becomes a dead letter and does not delay other events', async () => {
    const good = observed('after-poison.example', 1);
    await corpus.publish({ ...observed('poison.example', 1), statusState: 'on_holiday' }, good);
    expect(await corpus.updateOf(good)).toMatchObject({ outcome: MergeOutcome.MERGED });
    await corpus.settled(service);
    expect(await get('poison.example')).toMatchObject([{ etag: '' }]);
  });
});

describe('GetStores', () => {
  it('GetStores returns stores in the requested order, without a body for unknown domains', async () => {
    const events = ['a', 'b', 'c'].map((name) => observed(`${name}.example`, 1, { name }));
    await corpus.publish(...events);
    for (const event of events) await corpus.updateOf(event);
    const found = await get('c.example', 'absent-1.example', 'a.example', 'absent-2.example', 'b.example');
    expect(found.map(({ body }) => (body.length > 0 ? JSON.parse(body.toString()).domain : null))).toEqual([
      'c.example',
      null,
      'a.example',
      null,
      'b.example',
    ]);
    expect(found[1]).toMatchObject({ etag: '', lastCompletedScanAtMs: 0 });
    expect(await get()).toEqual([]);
    expect(await get('absent-1.example')).toHaveLength(1);
  });

  it('GetStores returns identical bytes until the next completed observation, on every instance and after a restart', async () => {
    const first = observed('bytes.example', 1, { technologies: [sighting('woocommerce')] });
    await corpus.publish(first);
    await corpus.updateOf(first);
    const [before] = await get('bytes.example');
    const other = await corpus.start({ INSTANCE_ID: 'other' });
    const { bodies, stores } = await corpus.client(other).getStores({ domains: ['bytes.example'] });
    expect([bodies, stores[0]?.etag]).toEqual([before?.body, before?.etag]);
    await other.stop();
    expect(await get('bytes.example')).toEqual([before]);

    const next = observed('bytes.example', 2, { technologies: [sighting('woocommerce')] });
    await corpus.publish(next);
    await corpus.updateOf(next);
    const [after] = await get('bytes.example');
    expect(after?.body.equals(before?.body as Buffer)).toBe(false);
    expect(after?.etag).not.toBe(before?.etag);
  });

  it('GetStores returns the Store object of the contract', async () => {
    const event = observed('contract.example', 1, { technologies: [sighting('custom-theme')] });
    await corpus.publish(event);
    await corpus.updateOf(event);
    const at = day(1).toISOString();
    expect(await shown('contract.example')).toEqual({
      brand_group_id: expect.stringMatching(/^bg_/),
      domain: 'contract.example',
      storefront_host: 'www.contract.example',
      storefront_id: expect.stringMatching(/^sf_/),
      name: 'Shop',
      profile_url: `${siteUrl}/stores/contract.example`,
      catalog: {
        as_of: at,
        product_count: 10,
        available_count: 8,
        coverage: 'full',
        currency: 'EUR',
        price_range: { median: 20, p25: 10, p75: 30 },
      },
      geography: { basis: 'observed', country: 'DE' },
      industry: { basis: 'classified', slug: 'apparel' },
      observation: { coverage_note: null, last_completed_scan_at: at, scope: 'full' },
      platform: {
        name: 'Shopify',
        slug: 'shopify',
        confidence: 'high',
        first_observed_at: at,
        last_confirmed_at: at,
      },
      status: { state: 'active_storefront', as_of: at },
      technologies: [
        {
          category: vocabulary.find(({ slug }) => slug === 'custom-theme')?.category,
          confidence: 'high',
          first_observed_at: at,
          install_state: 'active',
          last_confirmed_at: at,
          name: 'custom-theme',
          slug: 'custom-theme',
        },
      ],
      recent_signals: [],
    });
  });

  it('the store body is kept apart from the profile, and both have the same entity tag', async () => {
    const event = observed('apart.example', 1);
    await corpus.publish(event);
    await corpus.updateOf(event);
    const [profile, body] = await Promise.all(
      ['stores', 'store_bodies'].map((name) => corpus.db.collection(name).findOne({ _id: 'apart.example' as never })),
    );
    expect(profile).not.toHaveProperty('body');
    expect(body).toHaveProperty('body');
    expect(body?.etag).toBe(profile?.etag);
  });

  it('GetStores returns bodies that exceed the message limit in parts, and a small one with the first part', async () => {
    const bodies = corpus.db.collection<{ _id: string }>('store_bodies');
    const large = Array.from({ length: 40 }, (_, i) => `large-${i}.example`);
    const body = Buffer.alloc(500_000, 'x');
    await bodies.insertMany(large.map((_id) => ({ _id, body, etag: '"x"', lastCompletedScanAt: day(1) })));
    const small = observed('small.example', 1);
    await corpus.publish(small);
    await corpus.updateOf(small);

    const lengths = new Map<string, number>();
    let wanted = [...large, 'small.example'];
    for (let part = 0; wanted.length > 0; part++) {
      const { stores } = await profiles.getStores({ domains: wanted });
      for (const [i, { length }] of stores.entries()) if (length > 0) lengths.set(wanted[i] as string, length);
      if (part === 0) expect(lengths.has('small.example')).toBe(true);
      wanted = wanted.filter((_, i) => stores[i]?.deferred);
    }
    expect(large.every((domain) => lengths.get(domain) === body.length)).toBe(true);
    await bodies.deleteMany({ _id: { $in: large } });
  });

  it('GetStores refuses more than 100 domains', async () => {
    const domains = Array.from({ length: 101 }, (_, i) => `d${i}.example`);
    await expect(profiles.getStores({ domains })).rejects.toMatchObject({ code: 'invalid_request' });
    const { stores } = await profiles.getStores({ domains: domains.slice(1) });
    expect(stores).toHaveLength(100);
  });

  it('GetScanTimes returns the last completed scans of up to 2,000 domains, 0 for an unknown one', async () => {
    await corpus.publish(observed('timed.example', 1));
    await corpus.settled(service);
    const [store] = await get('timed.example');
    const domains = ['timed.example', ...Array.from({ length: 2_000 }, (_, i) => `d${i}.example`)];
    const { lastCompletedScanAtMs } = await profiles.getScanTimes({ domains: domains.slice(0, 2_000) });
    expect(lastCompletedScanAtMs).toEqual([store?.lastCompletedScanAtMs, ...Array(1_999).fill(0)]);
    await expect(profiles.getScanTimes({ domains })).rejects.toMatchObject({ code: 'invalid_request' });
  });
});

describe('ListTechnologies', () => {
  const query = { kind: '', category: '', q: '', afterSlug: '', limit: 200, order: undefined };

  it('ListTechnologies returns the whole vocabulary in pages, in order and without repetition', async () => {
    const slugs: string[] = [];
    for (let more = true; more; ) {
      const page = await profiles.listTechnologies({ ...query, afterSlug: slugs.at(-1) ?? '', limit: 37 });
      slugs.push(...page.technologies.map(({ slug }) => slug));
      more = page.hasMore;
    }
    expect(slugs).toEqual([...new Set(slugs)].sort());
    expect(slugs).toHaveLength(vocabulary.length);
    const whole = await profiles.listTechnologies({ ...query, kind: 'theme' });
    expect(whole.technologies.every(({ slug, kind }) => kind === 'theme' && slugs.includes(slug))).toBe(true);
    expect(slugs).toContain('custom-theme');
  });

  it('ListTechnologies finds technologies by the start of a name or slug, ignoring case, with valid links', async () => {
    const { technologies } = await profiles.listTechnologies({ ...query, q: 'SHOPI' });
    expect(technologies).toContainEqual(expect.objectContaining({ slug: 'shopify', kind: 'platform' }));
    for (const { website, listingUrl, vendor } of technologies) {
      expect([URL.canParse(website), URL.canParse(listingUrl), vendor !== '']).toEqual([true, true, true]);
    }
  });

  it('ListTechnologies continues in the order of the caller', async () => {
    const order = { firstSlugs: ['klaviyo', 'hotjar'], lastSlugs: [] };
    const first = await profiles.listTechnologies({ ...query, limit: 1, order });
    const next = await profiles.listTechnologies({ ...query, limit: 2, order, afterSlug: 'klaviyo' });
    const [smallest] = (await profiles.listTechnologies({ ...query, limit: 1 })).technologies;
    expect([...first.technologies, ...next.technologies].map(({ slug }) => slug)).toEqual([
      'klaviyo',
      'hotjar',
      smallest?.slug,
    ]);
  });

  it('GetTechnology returns one entry, and refuses a slug that the vocabulary does not have', async () => {
    const { technology } = await profiles.getTechnology({ slug: 'klaviyo' });
    expect(technology).toMatchObject({ slug: 'klaviyo', name: 'Klaviyo' });
    await expect(profiles.getTechnology({ slug: 'unheard-of' })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('ListTechnologies refuses a limit outside 1 to 200', async () => {
    for (const limit of [0, 201]) {
      await expect(profiles.listTechnologies({ ...query, limit })).rejects.toMatchObject({ code: 'invalid_request' });
    }
  });
});
