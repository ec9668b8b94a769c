import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import { call, envelopeOf, fitsContract, sendRaw } from './support/http.ts';

let gateway: TestGateway;
let key: string;

beforeAll(async () => {
  gateway = await startTestGateway();
  key = gateway.backends.addKey({ plan: { rpm: 10_000 } }).secret;
  gateway.backends.addStore('shop.example');
});
afterAll(() => gateway.stop());

const enrich = '/v1/stores/enrich';
const maxBytes = 262_144;

/** A valid enrich body of exactly this many bytes. */
function bodyOf(bytes: number): string {
  const empty = '{"domains":["x"]}';
  return `{"domains":["x"]${' '.repeat(bytes - empty.length)}}`;
}

describe('X-Request-Id', () => {
  it('X-Request-Id is generated with the prefix req_ when absent, and repeated in error bodies', async () => {
    const answer = await call(gateway, '/v1/stores/absent.example', { key });
    const id = answer.headers.get('x-request-id');
    expect(id).toMatch(/^req_[0-9a-z]{26}$/);
    expect(answer.body.error.request_id).toBe(id);
  });

  it.each(['abcdEF12', 'A_b-c_D-9', 'x'.repeat(64)])('X-Request-Id is repeated as sent when it is %s', async (id) => {
    const answer = await call(gateway, '/v1/stores/absent.example', { key, headers: { 'X-Request-Id': id } });
    expect(answer.headers.get('x-request-id')).toBe(id);
    expect(answer.body.error.request_id).toBe(id);
  });

  it.each(['short12', 'x'.repeat(65), 'has space', 'ümlaut-99', 'dots.dots', ''])(
    'X-Request-Id is refused with 400 under a generated id when it is "%s"',
    async (id) => {
      const answer = await call(gateway, '/v1/health', { headers: { 'X-Request-Id': id } });
      expect(answer.status).toBe(400);
      expect(answer.body.error).toMatchObject({
        code: 'invalid_request',
        message: expect.stringContaining('X-Request-Id'),
      });
      expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
      expect(answer.body.error.request_id).toBe(answer.headers.get('x-request-id'));
    },
  );
});

describe('the order of checks', () => {
  it('the checks run in the order request id, body size, key, route, scope, validation', async () => {
    const badId = { 'X-Request-Id': 'bad id' };
    const large = bodyOf(maxBytes + 1);
    expect((await call(gateway, '/v1/nowhere', { headers: badId, body: large })).status).toBe(400);
    expect((await call(gateway, '/v1/nowhere', { body: large })).status).toBe(413);
    expect((await call(gateway, '/v1/nowhere', { body: {} })).status).toBe(401);
    expect((await call(gateway, '/v1/nowhere', { body: {}, key })).status).toBe(404);
    const bare = gateway.backends.addKey({ scopes: ['read:jobs'] }).secret;
    expect((await call(gateway, enrich, { body: 'not json', key: bare })).status).toBe(403);
    expect((await call(gateway, enrich, { body: 'not json', key })).status).toBe(400);
  });

  it('the key is checked before the route below /v1, and a path outside /v1 is 404 at once', async () => {
    for (const path of ['/v1/nowhere', '/v1/', '/v1//account', '/v1/watch']) {
      expect((await call(gateway, path)).status, path).toBe(401);
      const answer = await call(gateway, path, { key });
      expect([answer.status, answer.body.error.code], path).toEqual([404, 'not_found']);
    }
    expect((await call(gateway, '/nowhere')).status).toBe(404);
    expect((await call(gateway, '/v1', { method: 'POST' })).status).toBe(401);
    expect((await call(gateway, '/v1', { method: 'POST', key })).status).toBe(404);
    expect((await call(gateway, '/v1/account', { method: 'DELETE', key })).status).toBe(404);
  });

  it('the key is checked before a 404 that says which method or path to use instead', async () => {
    const cases = [
      ['POST', '/v1/account', 'POST is not served on /v1/account; this path has GET and HEAD.'],
      ['GET', '/v1/stores/enrich', 'GET is not served on /v1/stores/enrich; this path has POST.'],
      ['GET', '/v1/account/', 'Write the path without a trailing slash: /v1/account'],
      ['GET', '/v1//account', 'Write the path without a doubled slash: /v1/account'],
      [
        'GET',
        '/v1/stores/https://shop.example/path?page=2',
        'A domain or URL is one segment of the path; percent-encode it: /v1/stores/https%3A%2F%2Fshop.example%2Fpath',
      ],
      ['GET', '/v1/nowhere', 'There is no path /v1/nowhere; GET /v1 lists those that are served.'],
    ] as const;
    for (const [method, path, message] of cases) {
      expect((await call(gateway, path, { method })).status, path).toBe(401);
      const answer = await call(gateway, path, { method, key });
      expect(answer.status, path).toBe(404);
      expect(answer.body.error).toMatchObject({ code: 'not_found', message });
    }
  });
});

describe('bodies', () => {
  it('bodies of 256 KB are accepted, and one byte more is 413 invalid_request, with a length or chunked', async () => {
    expect((await call(gateway, enrich, { key, body: bodyOf(maxBytes) })).status).toBe(200);
    const sized = await call(gateway, enrich, { key, body: bodyOf(maxBytes + 1) });
    expect([sized.status, sized.body.error.code]).toEqual([413, 'invalid_request']);
    fitsContract(sized, 'enrichStores');
    for (const [bytes, status] of [
      [maxBytes, 200],
      [maxBytes + 1, 413],
    ] as const) {
      const text = bodyOf(bytes);
      const stream = new ReadableStream({
        start(controller) {
          for (let at = 0; at < text.length; at += 60_000) controller.enqueue(Buffer.from(text.slice(at, at + 60_000)));
          controller.close();
        },
      });
      const response = await fetch(`${gateway.url}${enrich}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        body: stream,
        duplex: 'half',
      } as RequestInit);
      expect(response.status, `${bytes} chunked`).toBe(status);
      await response.arrayBuffer();
    }
  });

  it('bodies above 256 KB are refused on every request, GET included', async () => {
    const request = `GET /v1/health HTTP/1.1\r\nHost: x\r\nContent-Length: ${maxBytes + 1}\r\n\r\n`;
    expect(envelopeOf(await sendRaw(gateway.port, [request])).status).toBe(413);
  });

  it('bodies that never end are refused at the bound', async () => {
    const head = `POST ${enrich} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json\r\nAuthorization: Bearer ${key}\r\n\r\n`;
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    const raw = await sendRaw(gateway.port, [head, chunk, chunk, chunk, chunk, chunk, chunk]);
    expect(envelopeOf(raw)).toMatchObject({ status: 413, body: { error: { code: 'invalid_request' } } });
    expect(raw.toLowerCase()).toContain('connection: close');
  });

  it.each([
    ['not JSON', '{"domains":'],
    ['an empty body', ''],
    ['an array', '[]'],
    ['null', 'null'],
    ['a string', '"x"'],
    ['a byte order mark', '\ufeff{"domains":[]}'],
    ['domains of the wrong type', '{"domains":"shop.example"}'],
    ['domains with a number', '{"domains":[1]}'],
    ['domains with null', '{"domains":[null]}'],
    ['no domains', '{}'],
    ['refresh of the wrong type', '{"domains":[],"refresh":"true"}'],
    ['refresh null', '{"domains":[],"refresh":null}'],
    ['an unknown member', '{"domains":[],"fresh":true}'],
    ['a __proto__ member', '{"domains":[],"__proto__":{"refresh":true}}'],
    ['deep nesting', `{"domains":${'['.repeat(100_000)}`],
  ])('bodies that are invalid are 400 invalid_request: %s', async (_, body) => {
    const answer = await call(gateway, enrich, { key, method: 'POST', body });
    expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request']);
    fitsContract(answer, 'enrichStores');
  });

  it('an entry above 2,048 characters is 400, with the name of the entry', async () => {
    expect((await call(gateway, enrich, { key, body: { domains: ['x'.repeat(2_048)] } })).status).toBe(200);
    const answer = await call(gateway, enrich, { key, body: { domains: ['shop.example', 'x'.repeat(2_049)] } });
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toBe('domains[1]: must have at most 2,048 characters, not 2,049');
  });

  it('input that does not fit is rejected with the field, the bound and the value', async () => {
    const messageOf = async (body: unknown, headers: Record<string, string> = {}) =>
      (await call(gateway, enrich, { key, method: 'POST', body, headers })).body.error.message;
    const domains = Array.from({ length: 101 }, (_, i) => `s${i}.example`);
    expect(await messageOf({ domains })).toBe('domains: must have at most 100 entries, not 101');
    const { secret } = gateway.backends.addKey({ plan: { slug: 'free', enrichBatchMax: 10 } });
    const small = await call(gateway, enrich, { key: secret, body: { domains: domains.slice(0, 11) } });
    expect(small.body.error.message).toBe('domains: must have at most 10 entries on the plan free, not 11');
    expect(await messageOf({ domains: [] }, { 'Idempotency-Key': 'short' })).toBe(
      'Idempotency-Key: must have 8 to 128 characters, not 5',
    );
    expect(await messageOf({ domains: [] }, { 'X-Request-Id': 'dots.dots' })).toBe(
      'X-Request-Id: must have 8 to 64 characters from A-Z a-z 0-9 _ -, not "dots.dots"',
    );
    expect(await messageOf({ domains: [] }, { 'Content-Type': 'text/plain' })).toBe(
      'Content-Type: must be application/json, not "text/plain"',
    );
    expect(await messageOf('{"domains":\n ["shop.example",]}')).toBe(
      'body: must be valid JSON; it has an unexpected token',
    );
    expect(await messageOf(bodyOf(300_000))).toBe('body: must have at most 262,144 bytes, not 300,000');
    const got = async (path: string) => (await call(gateway, path, { key })).body.error.message;
    expect(await got('/v1/technologies?cursor=abc')).toBe(
      'cursor: must be the next_cursor of a page of this query, not "abc"',
    );
    expect(await got('/v1/technologies?limit=500')).toBe('limit: must be a whole number from 1 to 200, not "500"');
    expect(await got('/v1/stores/localhost')).toBe(
      'domain: must be a hostname or an http(s) URL with a registrable domain, not "localhost"',
    );
  });

  it('bodies with unknown members are rejected with their names', async () => {
    const answer = await call(gateway, enrich, { key, body: { domains: [], fresh: true } });
    expect(answer.body.error.message).toContain('fresh');
  });

  it('bodies that are not UTF-8 are rejected with 400', async () => {
    const response = await fetch(`${gateway.url}${enrich}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]),
    });
    expect(response.status).toBe(400);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonx',
    'application/json; charset=latin1',
    '',
  ])('bodies of content type "%s" are 400, with the name Content-Type', async (type) => {
    const answer = await call(gateway, enrich, { key, body: { domains: [] }, headers: { 'Content-Type': type } });
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toContain('Content-Type');
  });

  it('bodies of content type application/json with charset utf-8 are accepted', async () => {
    for (const type of ['application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"']) {
      const answer = await call(gateway, enrich, { key, body: { domains: [] }, headers: { 'Content-Type': type } });
      expect(answer.status, type).toBe(200);
    }
  });
});

describe('HTTP', () => {
  const get = (line: string) => `GET /v1/health HTTP/1.1\r\nHost: x\r\n${line}\r\n\r\n`;

  it.each([
    ['not HTTP at all', 'hello\r\n\r\n'],
    [
      'content length and transfer encoding',
      `POST ${enrich} HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      'two content lengths',
      `POST ${enrich} HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello`,
    ],
    ['a bad content length', `POST ${enrich} HTTP/1.1\r\nHost: x\r\nContent-Length: 5x\r\n\r\nhello`],
    [
      'an unknown transfer coding',
      `POST ${enrich} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      'a coding before chunked',
      `POST ${enrich} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['headers of 20 KB', get(`X-Large: ${'x'.repeat(20_000)}`)],
    ['a bare line feed', 'GET /v1/health HTTP/1.1\nHost: x\n\n'],
    ['a header without a colon', get('nonsense')],
    ['a space before the colon', get('X-A : b')],
    ['no host', 'GET /v1/health HTTP/1.1\r\n\r\n'],
    ['an unknown expectation', get('Expect: miracles')],
    [
      'a compressed body',
      `POST ${enrich} HTTP/1.1\r\nHost: x\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}`,
    ],
    ['a tunnel', 'CONNECT shop.example:443 HTTP/1.1\r\nHost: x\r\n\r\n'],
  ])('the gateway rejects %s with 400 in the error envelope', async (_, request) => {
    const { status, head, body } = envelopeOf(await sendRaw(gateway.port, [request]));
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: 'invalid_request', request_id: expect.stringMatching(/^req_/) });
    expect(head).toContain(body.error.request_id);
  });

  it('the gateway answers every invalid or unusual path', async () => {
    const targets = {
      '/v1/stores/%ZZ': 400,
      '/v1/stores/%E0%A4%A': 400,
      '/v1/stores/%00%00%00': 400,
      'http://x/v1/health': 200,
      '*': 404,
      '//': 404,
      '/%2e%2e/v1': 404,
    };
    for (const [target, status] of Object.entries(targets)) {
      const request = `GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n\r\n`;
      const raw = await sendRaw(gateway.port, [request]);
      expect(envelopeOf(raw).status, target).toBe(status);
    }
  });

  it('an invalid query is rejected with 400 and the name of the parameter', async () => {
    for (const query of [
      'q=%ZZ',
      'q=ab&q=cd',
      'nope=1',
      '%FF=1',
      '__proto__=x',
      'limit=0',
      'limit=201',
      'limit=1.5',
      'limit=',
      'limit=abc',
    ]) {
      const answer = await call(gateway, `/v1/technologies?${query}`, { key });
      expect(answer.status, query).toBe(400);
      fitsContract(answer, 'listTechnologies');
    }
    expect((await call(gateway, '/v1/technologies?nope=1', { key })).body.error.message).toContain('nope');
    expect((await call(gateway, '/v1/account?verbose=1', { key })).body.error.message).toContain('verbose');
  });
});

it('no answer names the software behind it', async () => {
  const answer = await call(gateway, '/v1/health');
  expect(answer.headers.has('x-powered-by')).toBe(false);
  expect(answer.headers.has('server')).toBe(false);
});
