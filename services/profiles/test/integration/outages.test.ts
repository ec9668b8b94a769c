import { MergeOutcome } from '@shopscope/proto';
import { startTcpProxy, waitUntil } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { observed } from '../support/observed-event.ts';
import { type Corpus, createCorpus } from './support/corpus.ts';

let corpus: Corpus;
beforeAll(async () => {
  corpus = await createCorpus('profiles-outage');
});
afterAll(() => corpus?.stop());

const request = (domain: string) => ({ domains: [domain] });

describe('outages', () => {
  it('look-ups are served when Kafka is down at the start', async () => {
    const service = await corpus.start({ KAFKA_BROKERS: '127.0.0.1:1' });
    const { stores } = await corpus.client(service).getStores(request('unknown.example'));
    expect(stores).toMatchObject([{ length: 0 }]);
    expect((await fetch(`${service.adminUrl}/readyz`)).status).toBe(200);
    await service.stop();
  });

  it('look-ups fail within their time limit while MongoDB is down, and observations of that time are merged afterwards', {
    tags: ['wall-clock'],
    timeout: 60_000,
  }, async () => {
    const proxy = await startTcpProxy(new URL(corpus.namespace.mongoUrl));
    const url = new URL(corpus.namespace.mongoUrl);
    url.host = `127.0.0.1:${proxy.port}`;
    const service = await corpus.start({ MONGODB_URL: url.href });
    const profiles = corpus.client(service);
    const before = observed('before.example', 1);
    await corpus.publish(before);
    await corpus.updateOf(before);

    // The proxy stays frozen, so that only a time limit ends the look-up.
    proxy.freeze();
    await expect(profiles.getStores(request('before.example'))).rejects.toMatchObject({
      code: expect.stringMatching(/^(internal|unavailable)$/),
    });
    const meanwhile = observed('meanwhile.example', 1);
    await corpus.publish(meanwhile);
    await waitUntil(
      'the service not to be ready',
      async () => (await fetch(`${service.adminUrl}/readyz`)).status === 503,
    );

    proxy.thaw();
    expect(await corpus.updateOf(meanwhile)).toMatchObject({ outcome: MergeOutcome.MERGED });
    await corpus.settled(service);
    expect(await corpus.db.collection('observations').countDocuments({ domain: 'meanwhile.example' })).toBe(1);
    const { stores } = await profiles.getStores(request('meanwhile.example'));
    expect(stores[0]?.length).toBeGreaterThan(0);
    await service.stop();
    await proxy.close();
  });
});
