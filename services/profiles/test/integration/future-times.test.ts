import { dayMs } from '@shopscope/clock';
import type { RunningService } from '@shopscope/lifecycle';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { observed, sighting, unanswered } from '../support/observed-event.ts';
import { type Corpus, createCorpus } from './support/corpus.ts';

const yearMs = 365 * dayMs;

describe('scanner with a clock ahead', () => {
  let corpus: Corpus;
  let service: RunningService;
  beforeAll(async () => {
    corpus = await createCorpus('future');
    service = await corpus.start();
  });
  afterAll(() => corpus?.stop());

  const shown = async (domain: string) => {
    const { bodies } = await corpus.client(service).getStores({ domains: [domain] });
    return JSON.parse(bodies.toString());
  };
  const ahead = (domain: string, sequence: number) =>
    observed(domain, sequence, {
      startedAtMs: Date.now() + yearMs - 4_000,
      completedAtMs: Date.now() + yearMs,
      technologies: [sighting('klaviyo')],
    });
  const datesIn = (value: unknown): number[] => {
    if (value instanceof Date) return [value.getTime()];
    if (typeof value === 'string') return /^\d{4}-\d\d-\d\dT/.test(value) ? [Date.parse(value)] : [];
    return value && typeof value === 'object' ? Object.values(value).flatMap(datesIn) : [];
  };
  const soon = () => Date.now() + 60_000;
  const profileOf = (domain: string) =>
    corpus.db.collection<{ _id: string }>('stores').findOne({ _id: domain }, { projection: { body: 0 } });
  const expectNoFuture = async (domain: string) => {
    expect(datesIn(await shown(domain)).filter((at) => at > soon())).toEqual([]);
    expect(datesIn(await profileOf(domain)).filter((at) => at > soon())).toEqual([]);
    const signals = await corpus.db
      .collection('signals')
      .find({ domain }, { projection: { forgetAt: 0 } })
      .toArray();
    expect(datesIn(signals).filter((at) => at > soon())).toEqual([]);
  };

  it('a scanner whose clock is a year ahead is reported, its observations get the merge date, and the profile is not frozen', async () => {
    const first = ahead('ahead.example', 1);
    await corpus.publish(first);
    expect((await corpus.updateOf(first)).completedAtMs).toBeLessThan(soon());
    await expectNoFuture('ahead.example');
    const [recorded] = await corpus.db.collection('observations').find({ domain: 'ahead.example' }).toArray();
    expect(recorded?.completedAt.getTime()).toBeLessThan(soon());
    const metrics = await (await fetch(`${service.adminUrl}/metrics`)).text();
    expect(metrics).toMatch(/^profiles_future_observations_total\S* 1$/m);

    const honest = observed('ahead.example', 2, { completedAtMs: Date.now() });
    await corpus.publish(honest);
    await corpus.updateOf(honest);
    const { last_completed_scan_at: at } = (await shown('ahead.example')).observation;
    expect(at).toBe(new Date(honest.completedAtMs).toISOString());
  });

  it.each([
    ['a completed scan', (domain: string) => observed(domain, 3, { completedAtMs: Date.now() })],
    ['a site that does not answer', (domain: string) => ({ ...unanswered(domain, 3), completedAtMs: Date.now() })],
  ])(
    'a profile that was frozen, because the clock of profiles was ahead too, heals at the next observation, of %s',
    async (name, next) => {
      const domain = `frozen-${name.length}.example`;
      const events = [
        observed(domain, 1, { technologies: [sighting('yotpo')] }),
        observed(domain, 2, { technologies: [sighting('yotpo'), sighting('klaviyo')] }),
      ];
      for (const event of events) {
        await corpus.publish(event);
        await corpus.updateOf(event);
      }
      await freeze(corpus, domain, new Date(Date.now() + yearMs));
      const honest = next(domain);
      await corpus.publish(honest);
      await corpus.updateOf(honest);
      await expectNoFuture(domain);
      const { last_completed_scan_at: at } = (await shown(domain)).observation;
      expect(at).toBe(new Date(honest.completedAtMs).toISOString());
    },
  );
});

/** Gives the store the dates that it has when the clocks of a scanner and of profiles were ahead. */
async function freeze({ db }: Corpus, domain: string, at: Date): Promise<void> {
  const found = await db.collection<{ _id: string }>('stores').findOne({ _id: domain });
  const ahead = (value: unknown): unknown => {
    if (value instanceof Date) return at;
    if (Array.isArray(value)) return value.map(ahead);
    if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, ahead(inner)]));
  };
  const { _id, ...rest } = ahead(found) as { _id: string };
  await db.collection<{ _id: string }>('stores').replaceOne({ _id }, rest);
  await db.collection('signals').updateMany({ domain }, { $set: { effectiveAt: at, confirmedAt: at } });
}
