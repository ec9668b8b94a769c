import { createDeadline } from '@shopscope/async';
import type { GrpcClient } from '@shopscope/grpc';
import type { GetStoresRequest, ProfilesServiceService } from '@shopscope/proto';
import { describe, expect, it } from 'vitest';
import { createProfilesClient } from './profiles-client.ts';

const origin = { requestId: '', traceparent: '', environment: 'live' as const };

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
    const found = await profiles.lookUpMany(domains, origin, createDeadline(1_000), 'ws_1');
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
  await Promise.all([lookUpMany(domains(3)), profiles.lookUp('d7.example', origin, createDeadline(1_000), 'ws_1')]);
  expect(calls).toEqual([[...domains(3), 'd7.example']]);
});

describe('look-ups whose bodies do not fit into one response', () => {
  /** Profiles with room for `room` bodies per response. It fails when a broken store is asked for alone. */
  function setUpSmall({ room, broken }: { room: number; broken?: string }) {
    const calls: string[][] = [];
    const getStores = async ({ domains }: GetStoresRequest) => {
      calls.push(domains);
      if (domains.length === 1 && domains[0] === broken) throw new Error('the message is too large');
      const smallFirst = domains.toSorted((a, b) => Number(a === broken) - Number(b === broken));
      const sent = new Set(smallFirst.slice(0, room));
      let offset = 0;
      const stores = domains.map((domain) => {
        const length = sent.has(domain) ? domain.length : 0;
        offset += length;
        return { offset: offset - length, length, etag: '"e"', lastCompletedScanAtMs: 1, deferred: length === 0 };
      });
      return { bodies: Buffer.from(domains.filter((domain) => sent.has(domain)).join('')), stores };
    };
    const profiles = createProfilesClient({ getStores } as unknown as GrpcClient<typeof ProfilesServiceService>);
    return { calls, profiles };
  }
  const bodyOf = (domain: string) => ({ body: Buffer.from(domain) });

  it('a look-up whose bodies do not fit into one response gets all of them by further calls, in order', async () => {
    const { calls, profiles } = setUpSmall({ room: 30 });
    const found = await profiles.lookUpMany(domains(100), origin, createDeadline(1_000), 'ws_1');
    expect(found).toMatchObject(domains(100).map(bodyOf));
    expect(calls.map(({ length }) => length)).toEqual([100, 70, 40, 10]);
  });

  it('look-ups of other callers in the same call succeed, whatever happens to a large one', async () => {
    const { profiles } = setUpSmall({ room: 9, broken: 'd5.example' });
    const lookUps = domains(10).map((domain) => profiles.lookUp(domain, origin, createDeadline(1_000), 'ws_1'));
    const outcomes = await Promise.allSettled(lookUps);
    expect(outcomes.flatMap(({ status }, i) => (status === 'rejected' ? [`d${i}.example`] : []))).toEqual([
      'd5.example',
    ]);
    expect(outcomes[5]).toMatchObject({ reason: { code: 'internal' } });
  });

  it('a single look-up that is deferred gets its store by a call of its own', async () => {
    const { calls, profiles } = setUpSmall({ room: 2 });
    const lookUps = domains(4).map((domain) => profiles.lookUp(domain, origin, createDeadline(1_000), 'ws_1'));
    expect(await Promise.all(lookUps)).toMatchObject(domains(4).map(bodyOf));
    expect(calls).toEqual([domains(4), ['d2.example'], ['d3.example']]);
  });

  it('a response without any body ends the look-up, so it never asks without end', async () => {
    const { calls, profiles } = setUpSmall({ room: 0 });
    await expect(profiles.lookUp('d0.example', origin, createDeadline(1_000), 'ws_1')).rejects.toMatchObject({
      code: 'internal',
    });
    expect(calls).toHaveLength(2);
  });
});
