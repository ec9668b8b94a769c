import { once } from 'node:events';
import { createDeadline } from '@shopscope/async';
import { ManualClock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import { ProfilesServiceService } from '@shopscope/proto';
import { silentTelemetry, startTcpProxy, waitUntil } from '@shopscope/testing';
import { afterEach, describe, expect, it } from 'vitest';
import {
  createGrpcClient,
  createGrpcServer,
  type GrpcServerOptions,
  type HandlerContext,
  type Handlers,
} from './index.ts';

/** A service with one method. */
const definition = { getStores: ProfilesServiceService.getStores };

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

async function serve(getStores: Handlers<typeof definition>['getStores'], options: Partial<GrpcServerOptions> = {}) {
  const server = createGrpcServer({
    host: '127.0.0.1',
    port: 0,
    ...silentTelemetry(),
    ...options,
  });
  server.addService(definition, { getStores });
  const address = await server.listen();
  const { registry } = silentTelemetry();
  const client = createGrpcClient({ definition, address, registry });
  cleanups.push(
    () => client.close(),
    () => server.stop(100),
  );
  return { address, client, server, registry };
}

const request = { domains: ['a.example'] };
const nothing = { bodies: Buffer.alloc(0), stores: [] };

describe('gRPC', () => {
  it('gRPC counts the calls of a client, except those of the test environment, because an alert reads the count', async () => {
    const { client, registry } = await serve(async () => nothing);
    const counted = async () =>
      /grpc_client_duration_seconds_count\{[^}]*\} (\d+)/.exec(await registry.metrics())?.[1] ?? '0';
    const origin = { requestId: 'req_1', traceparent: '' };
    await client.getStores(request, { origin: { ...origin, environment: 'test' } });
    await client.getStores(request, { origins: [{ ...origin, environment: 'test' }] });
    expect(await counted()).toBe('0');
    await client.getStores(request, { origin: { ...origin, environment: 'live' } });
    await client.getStores(request);
    expect(await counted()).toBe('2');
  });

  it.each(['live', 'test', null] as const)(
    'gRPC transmits the origin and the deadline of the caller (%s)',
    async (environment) => {
      let seen: HandlerContext | undefined;
      const { client } = await serve(async (_, context) => {
        seen = context;
        return nothing;
      });
      const origin = {
        requestId: 'req_1',
        traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
        environment,
      };
      await client.getStores(request, { origin, deadline: createDeadline(2_000) });
      expect(seen?.origin).toEqual(origin);
      expect(seen?.deadline.remainingMs).toBeGreaterThan(0);
      expect(seen?.deadline.remainingMs).toBeLessThanOrEqual(2_001);
    },
  );

  it('gRPC gives a handler the remaining time of its caller, and throws after the deadline', async () => {
    const clock = new ManualClock();
    const read: number[] = [];
    const over = Promise.withResolvers<unknown>();
    const { client } = await serve(
      async (_, context) => {
        read.push(context.deadline.timeoutMs());
        clock.advance(10);
        read.push(context.deadline.timeoutMs());
        clock.advance(10_000);
        try {
          read.push(context.deadline.timeoutMs());
        } catch (error) {
          over.resolve(error);
        }
        return nothing;
      },
      { clock },
    );
    await client.getStores(request);
    expect(await over.promise).toMatchObject({ code: 'internal' });
    expect(read).toHaveLength(2);
    expect(read[1]).toBe((read[0] ?? 0) - 10);
  });

  it('gRPC transmits code and public text of an application error, and not its cause', async () => {
    const { client } = await serve(async () => {
      throw new AppError('not_found', 'There is no “x”.', { cause: new Error('mongodb://user:pass@host') });
    });
    const error = await client.getStores(request).catch((e: unknown) => e as AppError);
    expect(error).toMatchObject({ code: 'not_found', publicMessage: 'There is no “x”.' });
    expect(JSON.stringify((error as AppError).cause)).not.toContain('mongodb');
  });

  it('gRPC gives the caller the details of an error, and none when they are too large for the trailers', async () => {
    for (const [unit, expected] of [
      ['lookup_cached', { reset_at: '2026-02-01T00:00:00.000Z', unit: 'lookup_cached' }],
      ['x'.repeat(1_000), {}],
    ] as const) {
      const { client } = await serve(async () => {
        throw new AppError('payment_required', 'Too few.', { details: { reset_at: '2026-02-01T00:00:00.000Z', unit } });
      });
      const error = await client.getStores(request).catch((thrown) => thrown);
      expect([error.code, error.details]).toEqual(['payment_required', expected]);
    }
  });

  it('gRPC does not transmit the message of an unexpected error', async () => {
    const { client } = await serve(async () => {
      throw new TypeError('secret detail');
    });
    const error = (await client.getStores(request).catch((e: unknown) => e)) as AppError;
    expect(error.code).toBe('internal');
    expect(error.publicMessage).not.toContain('secret');
  });

  it('gRPC cancels the deadline of a handler when its caller cancels the call, so that no further statement starts', async () => {
    const called = Promise.withResolvers<HandlerContext>();
    const { client } = await serve((_, context) => {
      called.resolve(context);
      return new Promise(() => {});
    });
    const cancelling = new AbortController();
    const cancelled = expect(client.getStores(request, { abort: cancelling.signal })).rejects.toMatchObject({
      code: 'internal',
    });
    const { deadline, abort } = await called.promise;
    expect(deadline.expired).toBe(false);
    cancelling.abort();
    await cancelled;
    if (!abort.aborted) await once(abort, 'abort');
    expect(() => deadline.timeoutMs()).toThrow(expect.objectContaining({ code: 'internal', cause: abort.reason }));
  });

  it('gRPC rejects a call at its deadline, and aborts the handler', async () => {
    let aborted: Promise<void> | undefined;
    const { client } = await serve((_, context) => {
      aborted = new Promise((resolve) => context.abort.addEventListener('abort', () => resolve()));
      return new Promise(() => {});
    });
    await expect(client.getStores(request, { deadline: createDeadline(50) })).rejects.toMatchObject({
      code: 'internal',
    });
    await aborted;
  });

  it('gRPC rejects with unavailable when the peer is unreachable', async () => {
    const { client, server } = await serve(async () => nothing);
    await server.stop(10);
    await expect(client.getStores(request, { deadline: createDeadline(3_000) })).rejects.toMatchObject({
      code: 'unavailable',
    });
  });

  it('gRPC closes connections at their maximum age without failing a call', {
    tags: ['wall-clock'],
  }, async () => {
    const aged = Promise.withResolvers<void>();
    let held = 0;
    // The age is far longer than a busy machine delays a call that is sent again on a new connection.
    const { address } = await serve(
      async ({ domains }) => {
        if (domains.length === 0) {
          held += 1;
          await aged.promise;
        }
        return nothing;
      },
      { connectionAgeMs: 1_000 },
    );
    const proxy = await startTcpProxy(new URL(`http://${address}`));
    const client = createGrpcClient({ definition, address: `127.0.0.1:${proxy.port}` });
    cleanups.unshift(() => client.close(), proxy.close);
    const inFlight = Array.from({ length: 10 }, () => client.getStores({ ...request, domains: [] }));
    await waitUntil('the calls that wait', () => held === inFlight.length);
    expect(proxy.connections).toBe(1);
    while (proxy.connections === 1) expect(await client.getStores(request)).toEqual(nothing);
    aged.resolve();
    for (const answer of await Promise.all(inFlight)) expect(answer).toEqual(nothing);
  });
});
