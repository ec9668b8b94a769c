import { createGrpcClient, createGrpcServer, type Handlers } from '@shopscope/grpc';
import { ZeroCopyProfilesService as definition } from '@shopscope/proto';
import { silentTelemetry } from '@shopscope/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createProfilesClient } from './profiles.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const cleanup of cleanups.splice(0)) await cleanup();
});
const origin = { requestId: 'req_test', traceparent: '', environment: 'live' as const };
const unexpected = async () => {
  throw new Error('no test calls this method');
};

async function clientOf(getStores: Handlers<typeof definition>['getStores']) {
  const server = createGrpcServer({ host: '127.0.0.1', port: 0, ...silentTelemetry() });
  const [listTechnologies, getTechnology, getCorpus] = [unexpected, unexpected, unexpected];
  const [listDomainPages, listDomains] = [unexpected, unexpected];
  const [importObservations, exportObservations] = [unexpected, unexpected];
  const [getHistory, searchSignals, listSignalPlaces, getSignals] = Array(4).fill(unexpected);
  const [getScanTimes, resolveValues, resetTestStores] = [unexpected, unexpected, unexpected];
  const [getStoreFacts, listStoreFacts] = [unexpected, unexpected];
  const ofSignals = { getHistory, searchSignals, listSignalPlaces, getSignals };
  const rest = { ...ofSignals, listTechnologies, getTechnology, getCorpus, listDomainPages, listDomains };
  const ofSearch = { getStoreFacts, listStoreFacts };
  const others = { getScanTimes, resolveValues, importObservations, exportObservations, resetTestStores };
  server.addService(definition, { getStores, ...rest, ...ofSearch, ...others });
  const client = createGrpcClient({ definition, address: await server.listen() });
  cleanups.push(
    () => client.close(),
    () => server.stop(100),
  );
  return createProfilesClient(client);
}

describe('stores of a page', () => {
  it('the stores of a page are parallel to the domains, undefined when unknown, and parsed at their first use only', async () => {
    const bodies = [{ domain: 'a.example', name: 'Ä' }, { domain: 'b.example' }].map((body) =>
      Buffer.from(JSON.stringify(body)),
    );
    const [a, b] = bodies.map(({ length }) => length) as [number, number];
    const profiles = await clientOf(async ({ domains }, context) => {
      expect([domains, context.origin]).toEqual([['a.example', 'unknown.example', 'b.example'], origin]);
      const stores = [
        { offset: 0, length: a, etag: '"a"', lastCompletedScanAtMs: 1 },
        { offset: a, length: 0, etag: '', lastCompletedScanAtMs: 0 },
        { offset: a, length: b, etag: '"b"', lastCompletedScanAtMs: 2 },
      ];
      return { bodies, stores };
    });
    const found = await profiles.getStores(['a.example', 'unknown.example', 'b.example'], origin);
    const parse = vi.spyOn(JSON, 'parse');
    expect(found.map((store) => store !== undefined)).toEqual([true, false, true]);
    expect(parse).not.toHaveBeenCalled();
    expect(found[0]?.body).toEqual({ domain: 'a.example', name: 'Ä' });
    expect(found[0]?.body).toBe(found[0]?.body);
    expect(parse).toHaveBeenCalledTimes(1);
    expect(found[2]?.body).toEqual({ domain: 'b.example' });
  });
});
