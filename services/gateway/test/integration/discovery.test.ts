import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../src/contract/operations.ts';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import { call, fitsContract } from './support/http.ts';

let gateway: TestGateway;
let key: string;

beforeAll(async () => {
  gateway = await startTestGateway();
  key = gateway.neighbours.addKey().secret;
});
afterAll(() => gateway.stop());

describe('the public documents', () => {
  it('GET / describes the host: name, description, documentation_url, graphql, rest', async () => {
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
    expect(Object.keys(answer.body.endpoints)).toHaveLength(9);
    expect(answer.body.endpoints.getStore).toBe('https://api.shopscope.test/v1/stores/{domain}');
    expect(answer.body.authentication.scheme).toBe('bearer');
  });

  it('GET /v1/health says ok while all is well, and nothing internal', async () => {
    const answer = await call(gateway, '/v1/health');
    expect(answer.status).toBe(200);
    fitsContract(answer, 'getHealth');
    expect(answer.body).toEqual({ status: 'ok', version: '1.0.0' });
  });

  it('GET /v1/health says degraded when a neighbour does not serve, and ok when it does again', async () => {
    gateway.neighbours.setServing(false);
    await expect
      .poll(async () => (await call(gateway, '/v1/health')).body.status, { timeout: 10_000 })
      .toBe('degraded');
    gateway.neighbours.setServing(true);
    await expect.poll(async () => (await call(gateway, '/v1/health')).body.status, { timeout: 10_000 }).toBe('ok');
  });

  it('GET /v1/openapi.json is the whole contract, 3.1', async () => {
    const answer = await call(gateway, '/v1/openapi.json');
    expect(answer.status).toBe(200);
    expect(answer.body.openapi).toMatch(/^3\.1/);
    expect(Object.keys(answer.body.paths)).toEqual([...new Set(operations.map(({ path }) => path))]);
  });

  it('need no key, are unmetered and carry no limits', async () => {
    for (const path of ['/', '/v1', '/v1/health', '/v1/openapi.json']) {
      const answer = await call(gateway, path);
      expect(answer.status, path).toBe(200);
      expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
      expect(answer.headers.has('x-ratelimit-limit')).toBe(false);
      expect((await call(gateway, path, { key: 'nonsense' })).status, path).toBe(200);
    }
  });

  it('answer HEAD as GET without a body, on the public routes only', async () => {
    for (const path of ['/', '/v1', '/v1/health', '/v1/openapi.json']) {
      const answer = await call(gateway, path, { method: 'HEAD' });
      expect([answer.status, answer.text], path).toEqual([200, '']);
      expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(10);
    }
    expect((await call(gateway, '/v1/account', { method: 'HEAD', key })).status).toBe(404);
    expect((await call(gateway, '/v1/account', { method: 'HEAD' })).status).toBe(401);
  });

  it('refuse unknown query parameters by name', async () => {
    for (const path of ['/', '/v1', '/v1/health', '/v1/openapi.json']) {
      const answer = await call(gateway, `${path}?shape=round`);
      expect(answer.status, path).toBe(400);
      expect(answer.body.error).toMatchObject({ code: 'invalid_request', message: expect.stringContaining('shape') });
    }
  });
});

describe('operations announced but not served', () => {
  const announced = operations.filter((operation) => !operation.served);

  it.each(announced)('$method $path answers 501 not_implemented to a valid key and 401 to none', async (operation) => {
    const path = operation.path.replaceAll(/\{(\w+)\}/g, 'shop.example');
    const body = operation.method === 'POST' || operation.method === 'PATCH' ? { anything: true } : undefined;
    const options = { method: operation.method, ...(body ? { body } : {}) };
    const answer = await call(gateway, path, { ...options, key });
    expect(answer.status).toBe(501);
    expect(answer.body.error.code).toBe('not_implemented');
    fitsContract(answer, operation.id);
    expect((await call(gateway, path, options)).status).toBe(401);
  });
});
