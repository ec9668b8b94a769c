import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AdminServer, createRegistry, type LocalRoute, startAdminServer } from './index.ts';
import { callLocalRoute } from './local-route.ts';

const route: LocalRoute = {
  method: 'PUT',
  path: '/development/echo',
  handle: (body) => ({ status: 200, body: { got: body } }),
};

describe('local route', () => {
  let admin: AdminServer;
  const localRoutes: LocalRoute[] = [];
  beforeAll(async () => {
    const readiness = () => ({ ready: true, components: {} });
    const registry = createRegistry({ service: 'test' });
    admin = await startAdminServer({ host: '127.0.0.1', port: 0, registry, readiness, localRoutes });
  });
  afterAll(() => admin?.close());

  const call = async (init: RequestInit) => {
    const response = await fetch(admin.url + route.path, init);
    return [response.status, await response.json()];
  };

  it('a local route of the admin port does not exist until it is added', async () => {
    expect(await call({ method: 'PUT', body: '{}' })).toEqual([404, { error: 'not found' }]);
    localRoutes.push(route);
    expect(await call({ method: 'PUT', body: '{"a":1}' })).toEqual([200, { got: { a: 1 } }]);
  });

  it('a local route of the admin port refuses other methods, bodies that are not JSON, and long bodies', async () => {
    expect(await call({ method: 'GET' })).toEqual([405, { error: 'use PUT' }]);
    expect(await call({ method: 'POST', body: '{}' })).toEqual([405, { error: 'use PUT' }]);
    expect(await call({ method: 'PUT', body: 'now' })).toEqual([400, { error: 'the body must be JSON' }]);
    expect((await call({ method: 'PUT', body: `"${'x'.repeat(200_000)}"` }))[0]).toBe(413);
  });

  it.each([
    ['127.0.0.1', '127.0.0.1:9083', 200],
    ['::1', '[::1]:9083', 200],
    ['::ffff:127.0.0.1', 'localhost:9083', 200],
    ['10.0.0.7', '127.0.0.1:9083', 403],
    ['::ffff:10.0.0.7', 'localhost:9083', 403],
    ['127.0.0.1', 'rebound.example:9083', 403],
    ['127.0.0.1', undefined, 403],
  ])(
    'a local route of the admin port answers a caller at %s that asks for the host %s with %i',
    async (remoteAddress, host, status) => {
      const request = Object.assign(Readable.from([Buffer.from('{}')]), {
        method: 'PUT',
        socket: { remoteAddress },
        headers: { host },
      });
      expect((await callLocalRoute(route, request as never)).status).toBe(status);
    },
  );
});
