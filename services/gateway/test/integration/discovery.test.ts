import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../src/endpoints/endpoints.ts';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import { call, fitsContract } from './support/http.ts';

let gateway: TestGateway;
let key: string;

beforeAll(async () => {
  gateway = await startTestGateway();
  key = gateway.backends.addKey().secret;
});
afterAll(() => gateway.stop());

describe('public documents', () => {
  it('GET / returns the host’s name, description, documentation_url, graphql and rest', async () => {
    const answer = await call(gateway, '/');
    expect(answer.status).toBe(200);
    fitsContract(answer, 'getHost');
    expect(answer.body).toMatchObject({
      name: 'Shopscope',
      graphql: { url: 'https://api.shopscope.test/v1/graphql', access: 'api_key' },
      rest: {
        base_url: 'https://api.shopscope.test/v1',
        openapi_url: 'https://api.shopscope.test/v1/openapi.json',
        authentication: { header: 'Authorization', scheme: 'bearer' },
      },
    });
  });

  it('GET /v1 lists the served operations and no other, with placeholders in braces', async () => {
    const answer = await call(gateway, '/v1');
    expect(answer.status).toBe(200);
    fitsContract(answer, 'getIndex');
    const served = operations.filter((operation) => operation.served);
    expect(answer.body.endpoints).toEqual(
      Object.fromEntries(served.map(({ id, path }) => [id, `https://api.shopscope.test${path}`])),
    );
    expect(Object.keys(answer.body.endpoints)).toHaveLength(60);
    expect(answer.body.endpoints.getStore).toBe('https://api.shopscope.test/v1/stores/{domain}');
    expect(answer.body.authentication.scheme).toBe('bearer');
  });

  it('GET /v1/health says ok while every dependency answers, and nothing internal', async () => {
    const answer = await call(gateway, '/v1/health');
    expect(answer.status).toBe(200);
    fitsContract(answer, 'getHealth');
    expect(answer.body).toEqual({ status: 'ok', version: '1.0.0' });
  });

  it('GET /v1/health says degraded while a backend does not serve, and ok when it serves again', async () => {
    gateway.backends.setServing(false);
    await expect.poll(async () => (await call(gateway, '/v1/health')).body.status).toBe('degraded');
    gateway.backends.setServing(true);
    await expect.poll(async () => (await call(gateway, '/v1/health')).body.status).toBe('ok');
  });

  it('GET /v1/openapi.json returns the whole contract in OpenAPI 3.1', async () => {
    const answer = await call(gateway, '/v1/openapi.json');
    expect(answer.status).toBe(200);
    expect(answer.body.openapi).toMatch(/^3\.1/);
    expect(Object.keys(answer.body.paths)).toEqual([...new Set(operations.map(({ path }) => path))]);
  });

  it('the public documents need no key, are unmetered and carry no limits', async () => {
    for (const path of ['/', '/v1', '/v1/health', '/v1/openapi.json']) {
      const answer = await call(gateway, path);
      expect(answer.status, path).toBe(200);
      expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
      expect(answer.headers.has('x-ratelimit-limit')).toBe(false);
      expect((await call(gateway, path, { key: 'nonsense' })).status, path).toBe(200);
    }
  });

  it('the public documents may be read by scripts of any origin, errors included, and answer a preflight without a key', async () => {
    for (const path of ['/', '/v1', '/v1/health', '/v1/openapi.json']) {
      for (const [method, query, status] of [
        ['GET', '', 200],
        ['HEAD', '', 200],
        ['GET', '?shape=round', 400],
      ] as const) {
        const answer = await call(gateway, path + query, { method, headers: { Origin: 'https://page.example' } });
        expect(answer.status, `${method} ${path}`).toBe(status);
        expect(answer.headers.get('access-control-allow-origin')).toBe('*');
        expect(answer.headers.get('access-control-expose-headers')).toBe('ETag, Retry-After, X-Request-Id');
      }
      const preflight = await call(gateway, path, {
        method: 'OPTIONS',
        headers: { Origin: 'https://page.example', 'Access-Control-Request-Method': 'GET' },
      });
      expect([preflight.status, preflight.text], path).toEqual([204, '']);
      expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
      expect(preflight.headers.get('access-control-allow-methods')).toBe('GET, HEAD');
      expect(preflight.headers.get('access-control-allow-headers')).toBe('X-Request-Id');
      expect(preflight.headers.get('x-request-id')).toMatch(/^req_/);
    }
  });

  it('a route with a key has no CORS header and does not serve OPTIONS', async () => {
    const headers = { Origin: 'https://page.example' };
    const asked = {
      ...headers,
      'Access-Control-Request-Method': 'GET',
      'Access-Control-Request-Headers': 'authorization',
    };
    for (const path of [
      '/v1/account',
      '/v1/usage',
      '/v1/technologies',
      '/v1/stores/shop.example',
      '/v1/stores/enrich',
    ]) {
      const answers = [
        [await call(gateway, path, { key, headers }), undefined],
        [await call(gateway, path, { headers }), 401],
        [await call(gateway, path, { method: 'OPTIONS', headers: asked }), 401],
        [await call(gateway, path, { method: 'OPTIONS', headers: asked, key }), 404],
      ] as const;
      for (const [answer, status] of answers) {
        if (status) expect(answer.status, path).toBe(status);
        expect(
          [...answer.headers.keys()].filter((name) => name.startsWith('access-control-')),
          path,
        ).toEqual([]);
      }
      const has = path === '/v1/stores/enrich' ? 'POST.' : 'GET and HEAD.';
      expect(answers[3][0].body.error.message).toBe(`OPTIONS is not served on ${path}; this path has ${has}`);
    }
  });

  it('the public documents have an entity tag and answer 304 to it, and long ones are compressed on request', async () => {
    for (const path of ['/', '/v1', '/v1/openapi.json']) {
      const first = await call(gateway, path, { headers: { 'Accept-Encoding': 'gzip' } });
      const etag = first.headers.get('etag') as string;
      const again = await call(gateway, path, { headers: { 'Accept-Encoding': 'gzip', 'If-None-Match': etag } });
      expect([again.status, again.text, again.headers.get('etag')], path).toEqual([304, '', etag]);
      expect(first.headers.get('content-encoding'), path).toBe(path === '/' ? null : 'gzip');
    }
  });

  it('requests for public documents are limited per client address, while requests with a key continue', async () => {
    const env = { PUBLIC_REQUESTS_PER_MINUTE: '3', TRUSTED_PROXIES: '127.0.0.1' };
    const limited = await startTestGateway({ backends: gateway.backends, env });
    const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } });
    const statuses: number[] = [];
    for (const path of ['/', '/v1', '/nowhere', '/v1/health']) {
      statuses.push((await call(limited, path, from('203.0.113.9'))).status);
    }
    expect(statuses).toEqual([200, 200, 404, 429]);
    const refused = await call(limited, '/v1/openapi.json', from('203.0.113.9'));
    fitsContract(refused, 'getOpenapi');
    expect(refused.body.error.code).toBe('rate_limited');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await call(limited, '/v1/account', { key, ...from('203.0.113.9') })).status).toBe(200);
    expect((await call(limited, '/v1/health', from('198.51.100.7'))).status).toBe(200);
    expect((await call(limited.internal, '/v1/health', from('203.0.113.9'))).status).toBe(200);
    await limited.stop();
  });

  it('GET /v1/openapi.json names the public base of this deployment as the server', async () => {
    const { body } = await call(gateway, '/v1/openapi.json');
    expect(body.servers.map(({ url }: { url: string }) => url)).toEqual(['https://api.shopscope.test']);
  });

  it('the public documents refuse unknown query parameters by name', async () => {
    for (const path of ['/', '/v1', '/v1/health', '/v1/openapi.json']) {
      const answer = await call(gateway, `${path}?shape=round`);
      expect(answer.status, path).toBe(400);
      expect(answer.body.error).toMatchObject({ code: 'invalid_request', message: expect.stringContaining('shape') });
    }
  });
});

it('every operation of the contract is served, and the address of the host document for GraphQL is one of them', async () => {
  expect(operations.filter(({ served }) => !served)).toEqual([]);
  const { body } = await call(gateway, '/');
  const { pathname } = new URL(body.graphql.url);
  const answer = await call(gateway, pathname, { key, body: { query: '{ __typename }' } });
  expect([answer.status, answer.body.data]).toEqual([200, { __typename: 'Query' }]);
});
