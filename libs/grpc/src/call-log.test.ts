import { AppError } from '@shopscope/errors';
import { ProfilesServiceService } from '@shopscope/proto';
import { createLogger, createRegistry, type Origin } from '@shopscope/telemetry';
import { afterEach, describe, expect, it } from 'vitest';
import { createGrpcClient, createGrpcServer, type Handlers } from './index.ts';

/** A service with one method. */
const definition = { getStores: ProfilesServiceService.getStores };
type GetStores = Handlers<typeof definition>['getStores'];

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

async function serve(level: string, getStores: GetStores) {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const logger = createLogger({ service: 'test', instance: 'one', level, destination });
  const server = createGrpcServer({
    host: '127.0.0.1',
    port: 0,
    logger,
    registry: createRegistry({ service: 'test' }),
  });
  server.addService(definition, { getStores });
  const client = createGrpcClient({ definition, address: await server.listen() });
  cleanups.push(
    () => client.close(),
    () => server.stop(100),
  );
  return { lines, client };
}

const originOf = (requestId: string): Origin => ({
  requestId,
  traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
  environment: 'live',
});
const request = { domains: ['a.example'] };
const respond: GetStores = async () => ({ bodies: Buffer.alloc(0), stores: [] });
const method = '/shopscope.profiles.v1.ProfilesService/GetStores';

describe('the log of a gRPC server', () => {
  it('the log of a gRPC server has one line at error with request id and cause when a call fails', async () => {
    const { client, lines } = await serve('info', async () => {
      throw new AppError('internal', 'The service could not answer.', { cause: new Error('no database') });
    });
    await expect(client.getStores(request, { origin: originOf('req_1') })).rejects.toThrow();
    expect(lines).toMatchObject([
      {
        level: 'error',
        msg: 'call failed',
        method,
        code: 'internal',
        requestId: 'req_1',
        err: { cause: { message: 'no database' } },
      },
    ]);
  });

  it('the log of a gRPC server has one line at info with request id and without a stack when a call is refused', async () => {
    const { client, lines } = await serve('info', async () => {
      throw new AppError('invalid_request', 'domains: must be at most 100');
    });
    await expect(client.getStores(request, { origin: originOf('req_1') })).rejects.toThrow();
    const reason = 'domains: must be at most 100';
    expect(lines).toMatchObject([
      { level: 'info', msg: 'call refused', method, code: 'invalid_request', reason, requestId: 'req_1' },
    ]);
    expect(lines[0]).not.toHaveProperty('err');
  });

  it('the log of a gRPC server has the request ids of a failed batch, at most twenty of them', async () => {
    const { client, lines } = await serve('info', async () => {
      throw new Error('no database');
    });
    const ids = Array.from({ length: 50 }, (_, n) => `req_${n}`);
    await expect(client.getStores(request, { origins: ids.map(originOf) })).rejects.toThrow();
    expect(lines).toMatchObject([{ requestId: 'req_0', requestIds: ids.slice(0, 20) }]);
  });

  it('the log of a gRPC server has a line for every successful call at debug, and none at info', async () => {
    const atDebug = await serve('debug', respond);
    await atDebug.client.getStores(request, { origin: originOf('req_1') });
    expect(atDebug.lines).toMatchObject([{ level: 'debug', msg: 'call answered', method, requestId: 'req_1' }]);
    const atInfo = await serve('info', respond);
    await atInfo.client.getStores(request, { origin: originOf('req_1') });
    expect(atInfo.lines).toEqual([]);
  });
});
