import { Client, credentials, Metadata } from '@grpc/grpc-js';
import { ProfilesServiceService } from '@shopscope/proto';
import { recordingTelemetry } from '@shopscope/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { environmentKey, metadataOf, originOf } from './context.ts';
import { createGrpcServer, environmentOf, originsOf } from './index.ts';

const originWith = (environment: 'live' | 'test' | null, requestId = 'req_1') => ({
  requestId,
  traceparent: 'trace',
  environment,
});

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

/** Makes a call with this metadata. Resolves to the error of the call, the log line, and whether the handler ran. */
async function callWith(metadata: Metadata) {
  const { logger, registry, lines } = recordingTelemetry('test', { level: 'debug' });
  const { getStores } = ProfilesServiceService;
  let isHandled = false;
  const server = createGrpcServer({ host: '127.0.0.1', port: 0, logger, registry });
  const respond = async () => {
    isHandled = true;
    return { bodies: Buffer.alloc(0), stores: [] };
  };
  server.addService({ getStores }, { getStores: respond });
  const client = new Client(await server.listen(), credentials.createInsecure());
  cleanups.push(
    () => client.close(),
    () => server.stop(100),
  );
  const error = await new Promise<Error | null>((resolve) => {
    const { path, requestSerialize, responseDeserialize } = getStores;
    client.makeUnaryRequest(path, requestSerialize, responseDeserialize, { domains: [] }, metadata, resolve);
  });
  return { error, isHandled, line: lines.find(({ method }) => method === getStores.path) };
}

describe('the environment of a call', () => {
  it('the metadata of a call has the environment of its caller, and none without a caller', () => {
    expect(metadataOf([originWith('test')]).get(environmentKey)).toEqual(['test']);
    expect(metadataOf([originWith(null)]).get(environmentKey)).toEqual([]);
    expect(originOf(new Metadata())).toEqual({ requestId: '', traceparent: '', environment: null });
  });

  it('a call with an unknown environment is refused as invalid_request that names it, and no handler runs', async () => {
    const metadata = metadataOf([originWith('live')]);
    metadata.set(environmentKey, 'staging');
    const { error, isHandled, line } = await callWith(metadata);
    const message = 'x-environment: must be live or test, not "staging"';
    expect(error?.message).toContain(message);
    expect(isHandled).toBe(false);
    expect(line).toMatchObject({ msg: 'call refused', code: 'invalid_request', requestId: 'req_1', reason: message });
    expect(line).not.toHaveProperty('environment');
  });

  it('the log line of a call names its environment', async () => {
    const { line } = await callWith(metadataOf([originWith('test')]));
    expect(line).toMatchObject({ msg: 'call answered', requestId: 'req_1', environment: 'test' });
  });
});

describe('the environment of a batch', () => {
  it.each([
    ['live and test', 'live', 'test'],
    ['live and none', 'live', null],
    ['none and live', null, 'live'],
  ] as const)('a call for requests of several environments throws (%s)', (_, first, last) => {
    const origins = Array.from({ length: 100 }, (_, n) => originWith(n < 99 ? first : last, `req_${n}`));
    expect(() => metadataOf(originsOf(origins.map((origin) => ({ origin }))))).toThrow('several environments');
  });

  it('requests of different environments have different batch keys', () => {
    const keys = (['live', 'test', null] as const).map((environment) =>
      environmentOf({ origin: originWith(environment) }),
    );
    expect(new Set(keys).size).toBe(3);
  });

  it('the metadata of a batch has its environment and at most twenty request ids', () => {
    const metadata = metadataOf(Array.from({ length: 50 }, (_, n) => originWith('test', `req_${n}`)));
    expect(metadata.get(environmentKey)).toEqual(['test']);
    expect(String(metadata.get('x-request-ids')[0]).split(',')).toEqual(
      Array.from({ length: 20 }, (_, n) => `req_${n}`),
    );
  });
});
