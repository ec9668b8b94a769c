import { createDeadline } from '@shopscope/async';
import type { GrpcClient } from '@shopscope/grpc';
import type { GetStoresRequest, ProfilesServiceService } from '@shopscope/proto';
import { expect, it } from 'vitest';
import { createProfilesClient } from './profiles.ts';

const origin = { requestId: '', traceparent: '' };

/** A corpus that contains the domains with an even number. The body of a store is its domain. */
function setUp() {
  const calls: string[][] = [];
  const getStores = async ({ domains }: GetStoresRequest) => {
    calls.push(domains);
    let offset = 0;
    const texts = domains.map((domain) => (Number.parseInt(domain.slice(1), 10) % 2 === 0 ? domain : ''));
    const stores = texts.map((text) => {
      offset += text.length;
      return { offset: offset - text.length, length: text.length, etag: '"e"', lastCompletedScanAtMs: 1 };
    });
    return { bodies: Buffer.from(texts.join('')), stores };
  };
  const profiles = createProfilesClient({ getStores } as unknown as GrpcClient<typeof ProfilesServiceService>);
  const lookUpMany = async (domains: string[]) => {
    const found = await profiles.lookUpMany(domains, origin, createDeadline(1_000));
    return found.map((store) => store?.body.toString());
  };
  return { calls, profiles, lookUpMany };
}

const domains = (count: number) => Array.from({ length: count }, (_, n) => `d${n}.example`);
const expected = (count: number) => domains(count).map((domain, n) => (n % 2 === 0 ? domain : undefined));

it.each([1, 19, 20, 100, 250])(
  '%i look-ups return their stores in the order of the domains, with at most 100 domains per call',
  async (count) => {
    const { calls, lookUpMany } = setUp();
    expect(await lookUpMany(domains(count))).toEqual(expected(count));
    expect(calls).toHaveLength(Math.ceil(count / 100));
  },
);

it('a small batch of look-ups shares a call with other look-ups of the same event-loop turn', async () => {
  const { calls, profiles, lookUpMany } = setUp();
  await Promise.all([lookUpMany(domains(3)), profiles.lookUp('d7.example', origin, createDeadline(1_000))]);
  expect(calls).toEqual([[...domains(3), 'd7.example']]);
});
