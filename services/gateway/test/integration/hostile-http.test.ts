import { once } from 'node:events';
import { connect } from 'node:net';
import { AppError } from '@shopscope/errors';
import { newApiKey } from '@shopscope/ids';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import { sendRaw } from './support/http.ts';

/** Malformed bytes. Each request is answered in the form of the contract, and only once. */
let gateway: TestGateway;
let key: string;

beforeAll(async () => {
  gateway = await startTestGateway();
  key = gateway.backends.addKey({ plan: { rpm: 100_000, concurrency: 1_000 } }).secret;
  gateway.backends.addStore('shop.example');
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.backends.faults.clear());

const enrich = '/v1/stores/enrich';
const json = '{"domains":[]}';
const head = (line: string, ...headers: string[]) => `${[line, 'Host: x', ...headers].join('\r\n')}\r\n\r\n`;
const post = (...headers: string[]) =>
  head(`POST ${enrich} HTTP/1.1`, `Authorization: Bearer ${key}`, 'Content-Type: application/json', ...headers);
/** The bytes that request smuggling tries to pass as a separate request. */
const hidden = head('GET /v1/health HTTP/1.1', 'X-Request-Id: smuggled-request');

/** Answers by their order: bodies are JSON without blank lines, so the heads separate them. */
function answersOf(raw: string) {
  return raw
    .split(/(?=HTTP\/1\.1 \d{3} )/)
    .filter((text) => text !== '')
    .map((text) => {
      const [top = '', ...rest] = text.split('\r\n\r\n');
      return { status: Number(top.slice(9, 12)), head: top, body: JSON.parse(rest.join('\r\n\r\n') || 'null') };
    });
}

async function answersTo(...chunks: (string | Buffer)[]) {
  return answersOf(await sendRaw(gateway.port, chunks));
}

describe('ambiguous framing', () => {
  it.each([
    ['a length beside chunks', `${post('Content-Length: 5', 'Transfer-Encoding: chunked')}0\r\n\r\n${hidden}`],
    ['chunks beside a length', `${post('Transfer-Encoding: chunked', 'Content-Length: 5')}0\r\n\r\n${hidden}`],
    ['two lengths', `${post('Content-Length: 5', 'Content-Length: 6')}hello${hidden}`],
    ['two equal lengths', post('Content-Length: 14', 'Content-Length: 14') + json + hidden],
    ['a list of lengths', post('Content-Length: 14, 14') + json + hidden],
    ['a length with a sign', post('Content-Length: +14') + json + hidden],
    ['a negative length', post('Content-Length: -1') + hidden],
    ['a hexadecimal length', post('Content-Length: 0xe') + json + hidden],
    ['an endless length', post(`Content-Length: ${'9'.repeat(30)}`) + hidden],
    ['xchunked', `${post('Transfer-Encoding: xchunked')}0\r\n\r\n${hidden}`],
    ['chunked twice', `${post('Transfer-Encoding: chunked', 'Transfer-Encoding: chunked')}0\r\n\r\n${hidden}`],
    ['chunked, identity', `${post('Transfer-Encoding: chunked, identity')}0\r\n\r\n${hidden}`],
    ['a coding before chunked', `${post('Transfer-Encoding: gzip, chunked')}0\r\n\r\n${hidden}`],
    ['chunked in quotes', `${post('Transfer-Encoding: "chunked"')}0\r\n\r\n${hidden}`],
    ['chunked after a tab and a control', `${post('Transfer-Encoding:\t\x0bchunked')}0\r\n\r\n${hidden}`],
    ['a space before the colon', `${post('Transfer-Encoding : chunked')}0\r\n\r\n${hidden}`],
    ['a folded header', post('X-Folded: a', ' b') + hidden],
    ['a folded length', post('Content-Length:', ' 14') + json + hidden],
    ['bare line feeds', `GET /v1/health HTTP/1.1\nHost: x\n\n${hidden}`],
    ['a bare line feed after a header', head('GET /v1/health HTTP/1.1', 'X-A: b\nX-C: d') + hidden],
    ['a bare carriage return', head('GET /v1/health HTTP/1.1', 'X-A: b\rX-C: d') + hidden],
    ['two hosts', head('GET /v1/health HTTP/1.1', 'Host: y') + hidden],
    ['one host twice', head('GET /v1/health HTTP/1.1', 'hOST: x') + hidden],
    ['two hosts of HTTP/1.0', head('GET /v1/health HTTP/1.0', 'Connection: keep-alive', 'Host: y') + hidden],
    ['NUL in a header', head('GET /v1/health HTTP/1.1', 'X-A: b\0c') + hidden],
    ['NUL in a name', head('GET /v1/health HTTP/1.1', 'X\0A: b') + hidden],
    ['NUL in the path', head('GET /v1/he\0alth HTTP/1.1') + hidden],
    ['a chunk size with a sign', `${post('Transfer-Encoding: chunked')}+e\r\n${json}\r\n0\r\n\r\n${hidden}`],
    [
      'a chunk size too large to count',
      `${post('Transfer-Encoding: chunked')}fffffffffffffffff\r\n${json}\r\n0\r\n\r\n${hidden}`,
    ],
    ['a chunk longer than it says', `${post('Transfer-Encoding: chunked')}2\r\n${json}\r\n0\r\n\r\n${hidden}`],
    ['a chunk ended by a bare line feed', `${post('Transfer-Encoding: chunked')}e\n${json}\r\n0\r\n\r\n${hidden}`],
  ])('ambiguous framing is rejected with 400, and no bytes after it are read as a request: %s', async (_, bytes) => {
    const answers = await answersTo(bytes);
    expect(answers.map(({ status }) => status)).toEqual([400]);
    const [{ body, head: top } = { body: null, head: '' }] = answers;
    expect(body.error.code).toBe('invalid_request');
    expect(top).toContain(`X-Request-Id: ${body.error.request_id}`);
    expect(top.toLowerCase()).toContain('connection: close');
  });
});

describe('oversized requests', () => {
  it.each([
    ['one header of 20 KB', [`X-A: ${'x'.repeat(20_000)}`]],
    ['many headers, 20 KB in all', Array.from({ length: 1_000 }, (_, i) => `X-Header-${i}: xxxxxxx`)],
    ['a path of 20 KB', []],
  ])('an oversized request is rejected with 400 in the error envelope: %s', async (name, headers) => {
    const path = name.startsWith('a path') ? `/v1/stores/${'x'.repeat(20_000)}` : '/v1/health';
    const [answer] = await answersTo(head(`GET ${path} HTTP/1.1`, ...headers));
    expect([answer?.status, answer?.body.error.code]).toEqual([400, 'invalid_request']);
  });

  it('a request with more headers than are kept is rejected with 400, because a later header would be lost', async () => {
    const many = Array.from({ length: 2_500 }, (_, i) => `a${i}:`);
    const [answer] = await answersTo(head('GET /v1/health HTTP/1.1', ...many, `X-Request-Id: x`));
    expect(answer?.status).toBe(400);
  });
});

describe('unusual requests', () => {
  it('requests that share one packet are answered in their order', async () => {
    const ids = ['first-request', 'second-request', 'third-request'];
    const requests = ids.map((id) =>
      head(`GET /v1/stores/${id}.example HTTP/1.1`, `X-Request-Id: ${id}`, `Authorization: Bearer ${key}`),
    );
    const answers = await answersTo(requests.join(''));
    expect(answers.map(({ body }) => body.error.request_id)).toEqual(ids);
  });

  it.each([
    ['an upgrade to a websocket', head('GET /v1/nowhere HTTP/1.1', 'Connection: Upgrade', 'Upgrade: websocket'), 401],
    [
      'an upgrade to h2c',
      head(
        'GET /v1/nowhere HTTP/1.1',
        'Connection: Upgrade, HTTP2-Settings',
        'Upgrade: h2c',
        'HTTP2-Settings: AAMAAABk',
      ),
      401,
    ],
    ['HTTP/2 with prior knowledge', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['a later HTTP/1', head('GET /v1/nowhere HTTP/1.9'), 400],
    ['HTTP/0.9', 'GET /v1/nowhere\r\n\r\n', 400],
    ['HTTP/1.0', 'GET /v1/nowhere HTTP/1.0\r\n\r\n', 401],
    ['the absolute form', head('GET http://elsewhere.example/v1/nowhere HTTP/1.1'), 401],
    ['the absolute form of another scheme', head('GET ftp://elsewhere.example/v1/health HTTP/1.1'), 404],
    ['TRACE', head('TRACE /v1/health HTTP/1.1', 'Cookie: secret'), 401],
    ['OPTIONS *', head('OPTIONS * HTTP/1.1'), 404],
    ['a method of its own', head('BREW /v1/health HTTP/1.1'), 400],
    ['CONNECT', head('CONNECT shop.example:443 HTTP/1.1'), 400],
    ['TLS', Buffer.from('16030100c8010000c40303', 'hex'), 400],
    ['an expectation', head('GET /v1/health HTTP/1.1', 'Expect: miracles'), 400],
  ])('unusual requests are refused in the error envelope: %s', async (_, bytes, status) => {
    const answers = await answersTo(bytes);
    expect(answers.map((answer) => answer.status)).toEqual([status]);
    expect(answers[0]?.body.error.request_id).toMatch(/^req_/);
    expect(JSON.stringify(answers)).not.toContain('secret');
  });

  it('a request with two keys counts as one without a key, whichever is valid, and public routes read neither', async () => {
    const good = `Authorization: Bearer ${key}`;
    const pairs = [
      [good, good],
      [good, 'authorization: Basic eDp5'],
      ['Authorization: Bearer x', good],
    ];
    for (const pair of pairs) {
      const answers = await answersTo(head('GET /v1/account HTTP/1.1', ...pair, 'Connection: close'));
      expect(answers.map(({ status, body }) => [status, body.error.code])).toEqual([[401, 'unauthorized']]);
      expect(answers[0]?.head).toContain('WWW-Authenticate: Bearer');
    }
    const [open] = await answersTo(head('GET /v1/health HTTP/1.1', good, good, 'Connection: close'));
    expect(open?.status).toBe(200);
  });

  it('a request with Expect: 100-continue is told to continue unless its headers are refused', async () => {
    const socket = connect(gateway.port, '127.0.0.1');
    let received = '';
    socket.on('data', (data) => {
      received += data;
    });
    socket.write(post(`Content-Length: ${json.length}`, 'Expect: 100-continue', 'Connection: close'));
    await expect.poll(() => received).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    socket.write(json);
    await expect.poll(() => received).toContain('HTTP/1.1 200 OK');
    socket.destroy();
    const [refused] = await answersTo(post('Content-Length: 300000', 'Expect: 100-continue'));
    expect(refused?.status).toBe(413);
  });
});

describe('malformed input', () => {
  const garbage = 'nonsense\r\n\r\n';
  const lookUp = head('GET /v1/stores/shop.example HTTP/1.1', 'Authorization: Bearer KEY');

  /** Holds the first request, sends the rest after it, and returns what the connection received until it closed. */
  async function behindHeld(rest: string) {
    const { secret } = gateway.backends.addKey();
    const profiles = gateway.backends.hold('getStores');
    const socket = connect(gateway.port, '127.0.0.1');
    let received = '';
    socket.on('data', (data) => {
      received += data;
    });
    socket.on('error', () => {});
    const closed = once(socket, 'close');
    gateway.backends.forgetCalls();
    socket.write(lookUp.replace('KEY', secret));
    await gateway.backends.called('getStores');
    socket.write(rest.replaceAll('KEY', secret));
    await closed;
    await expect.poll(() => gateway.service.pending?.()).toBe(0);
    profiles.release();
    return received;
  }

  it.each([
    ['invalid HTTP', garbage],
    ['CONNECT', head('CONNECT shop.example:443 HTTP/1.1')],
    ['CONNECT behind two requests', lookUp + head('CONNECT shop.example:443 HTTP/1.1')],
    ['a body with an invalid chunk', `${head(`POST ${enrich} HTTP/1.1`, 'Transfer-Encoding: chunked')}+e\r\n`],
    ['headers of 20 KB', head('GET /v1/health HTTP/1.1', `X-A: ${'x'.repeat(20_000)}`)],
  ])('malformed input after a request ends the connection and its requests without a status: %s', async (_, rest) => {
    expect(await behindHeld(rest)).toBe('');
  });

  it('malformed input that arrives in one packet with a billed request is not answered with 400', async () => {
    const { secret } = gateway.backends.addKey();
    const raw = await sendRaw(gateway.port, [lookUp.replace('KEY', secret) + garbage]);
    expect(raw).not.toContain('HTTP/1.1 400');
  });

  it('malformed input is 400 once the earlier request has its answer', async () => {
    const { secret } = gateway.backends.addKey();
    const socket = connect(gateway.port, '127.0.0.1');
    let received = '';
    socket.on('data', (data) => {
      received += data.toString('latin1');
    });
    const closed = once(socket, 'close');
    socket.write(lookUp.replace('KEY', secret));
    await expect.poll(() => received).toMatch(/^HTTP\/1\.1 200 .*\}\}$/s);
    socket.write(garbage);
    await closed;
    expect(answersOf(received).map(({ status }) => status)).toEqual([200, 400]);
  });
});

describe('error answers', () => {
  /** Names of machines, files, programs and their errors. */
  const inside =
    /mongo|redis|kafka|grpc|127\.0\.0\.1|localhost|ECONN|EPIPE|ENOTFOUND|node_modules|node:|\.[cm]?[jt]s\b|\/work|\/home|\/usr|\/tmp|\n\s*at |Error:|svc_live_|undefined|express|HPE_|backend|verifyKey|getStores/i;
  const methods = [
    'verifyKey',
    'getStores',
    'listTechnologies',
    'getTechnology',
    'reserve',
    'claimScans',
    'getBalance',
    'getUsage',
    'listKeys',
  ];
  const loud = () =>
    new AppError('internal', 'MongoServerError at mongodb://user:pass@127.0.0.1:27017', {
      cause: new Error('ECONNREFUSED'),
    });
  const failures: [string, () => void][] = [
    ['nothing', () => {}],
    [
      'a plain error',
      () => {
        throw new Error('ECONNREFUSED 127.0.0.1:27017\n    at Socket.connect (node:net:1)');
      },
    ],
    [
      'an error of its own',
      () => {
        throw loud();
      },
    ],
  ];
  const requests = [
    head('GET / HTTP/1.1'),
    head('GET /v1 HTTP/1.1', 'X-Request-Id: é'),
    ...[
      '/v1/health',
      '/v1/account',
      '/v1/usage',
      '/v1/technologies',
      '/v1/technologies?cursor=x',
      '/v1/stores/shop.example',
      '/v1/stores/%ZZ',
      '/v1/stores/..%2f..%2fetc%2fpasswd',
      '/v1/nowhere',
      '/v1/jobs',
      '/nowhere',
      '/v1/usage?__proto__=1',
    ].map((path) => head(`GET ${path} HTTP/1.1`, 'Authorization: Bearer KEY')),
    ...['{"domains":["shop.example","new.example"],"refresh":true}', '{', '{"domains":[1],"__proto__":{}}', 'null'].map(
      (body) =>
        head(
          `POST ${enrich} HTTP/1.1`,
          'Authorization: Bearer KEY',
          'Content-Type: application/json',
          'Idempotency-Key: a-key-of-a-test',
          `Content-Length: ${body.length}`,
        ) + body,
    ),
    'nonsense\r\n\r\n',
    head('GET /v1/health HTTP/1.1', 'Transfer-Encoding: xchunked'),
    head('CONNECT x:1 HTTP/1.1'),
    head('GET /v1/account HTTP/1.1', `Authorization: Bearer ${newApiKey('live')}`),
    head('GET /v1/account HTTP/1.1', 'Authorization: Basic eDp5'),
  ];

  it.each(failures)('error answers to any request name nothing internal when backends fail: %s', async (_, fail) => {
    // A key that is not remembered, so that its verification fails as well.
    const { secret } = gateway.backends.addKey({ plan: { concurrency: 1_000 } });
    const ask = async () =>
      Promise.all(
        requests.map(async (bytes) => {
          const closing = bytes.replace('Host: x', 'Host: x\r\nConnection: close').replace('KEY', secret);
          return { bytes, raw: await sendRaw(gateway.port, [closing]) };
        }),
      );
    for (const method of methods) gateway.backends.faults.set(method, fail);
    const answers = await ask();
    gateway.backends.faults.delete('verifyKey');
    for (const { bytes, raw } of [...answers, ...(await ask())]) {
      expect(raw, bytes).toMatch(/^HTTP\/1\.1 \d{3} /);
      expect(raw, bytes).toMatch(/^X-Request-Id: \S+\r$/im);
      // The host document and openapi.json name what is public.
      if (/^HTTP\/1\.1 [45]/.test(raw)) {
        expect(raw, bytes).not.toMatch(inside);
        expect(JSON.parse(raw.slice(raw.indexOf('{'), raw.lastIndexOf('}') + 1)).error.request_id).toBeTruthy();
      }
    }
  });
});
