import { type AddressInfo, connect, type Socket } from 'node:net';
import { systemClock } from '@shopscope/clock';
import { newApiKey } from '@shopscope/ids';
import { KeyStatus, type VerifyKeyResponse } from '@shopscope/proto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { announcedOperation, servedBy } from '../../../test/served-by.ts';
import { createAuthFailures } from '../../keys/auth-failures.ts';
import { createAuthenticateKey } from '../../keys/authenticate-key.ts';
import { type ConnectionLimits, createConnectionLimits } from '../../limits/connection-limits.ts';
import type { AdmitOutcome } from '../../limits/decision.ts';
import { indexOperations } from '../operation-index.ts';
import { createSendReply } from '../reply/send-reply.ts';
import { createWriteBody } from '../reply/write-body.ts';
import type { EndedRequest } from '../request.ts';
import { createHttpServer } from '../server.ts';
import { createBodyBudget } from './body-budget.ts';

const maxBytes = 262_144;
const path = '/v1/stores/enrich';
const valid = newApiKey('live');
const unknown = () => newApiKey('live');
const malformed = `${valid.slice(0, -1)}${valid.endsWith('0') ? '1' : '0'}`;

const handle = () => ({ status: 200, headers: { 'Content-Type': 'application/json' }, body: Buffer.from('{}') });

let ended: EndedRequest[];
let lookUps: number;
let outcome: AdmitOutcome;
let spentSeconds: number;
/** Look-ups wait for it. */
let keysRespond: Promise<void>;
let url: string;
let budget: ReturnType<typeof createBodyBudget>;
let connections: ConnectionLimits;
let server: ReturnType<typeof createHttpServer>;

beforeEach(async () => {
  ended = [];
  lookUps = 0;
  outcome = 'admitted';
  spentSeconds = 0;
  keysRespond = Promise.resolve();
  budget = createBodyBudget({ maxBytesPerWorkspace: 3 * maxBytes, maxBytes: 4 * maxBytes });
  const plan = {
    slug: 'growth',
    rpm: 10,
    concurrency: 1,
    enrichBatchMax: 100,
    freshnessDays: 1,
    historyDays: 1,
    included: undefined,
    quotas: undefined,
  };
  const active = {
    status: KeyStatus.ACTIVE,
    key: { id: 'key_1', environment: 'live', scopes: ['read:stores'] },
    workspace: { id: 'ws_1' },
    plan,
  };
  const authenticateKey = createAuthenticateKey({
    clock: systemClock,
    authFailures: createAuthFailures({ clock: systemClock, maxPerMinute: 1_000 }),
    keys: {
      async verifyKey() {
        const isFirst = lookUps++ === 0;
        await keysRespond;
        return (isFirst ? active : { status: KeyStatus.UNKNOWN }) as VerifyKeyResponse;
      },
    },
  });
  connections = createConnectionLimits({
    max: 10,
    maxPerAddress: 4,
    readAddress: () => '203.0.113.9',
    onClosed: () => {},
  });
  const writeStream = async () => {};
  const writeBody = createWriteBody({ clock: systemClock, onCut: () => {} });
  server = createHttpServer({
    clock: systemClock,
    isStopping: () => false,
    authenticateKey,
    bodyBudget: budget,
    admission: {
      decide: async () => ({ outcome, remaining: 3, resetSeconds: 20, release: () => {} }),
      isFarFromLimits: () => true,
      spentSeconds: () => spentSeconds,
    },
    send: createSendReply({ balances: { remaining: () => 7 }, isDraining: () => false, writeBody, writeStream }),
    index: indexOperations(servedBy({ handle })),
    readAddress: () => '203.0.113.9',
    accessLog: (request) => ended.push(request),
    onParserError: () => {},
    connections,
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // The first key that is looked up is the valid one.
  await send(valid, '{"domains":[]}');
  ended = [];
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const bodyOf = (bytes: number) => `{"domains":[]}${' '.repeat(bytes - 14)}`;

async function send(token: string | undefined, body: string, { to = path, chunked = false } = {}) {
  const headers = { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) };
  const sent = chunked ? new Blob([body]).stream() : body;
  const response = await fetch(url + to, { method: 'POST', headers, body: sent, duplex: 'half' } as RequestInit);
  const { error } = (await response.json()) as { error?: { code: string } };
  return { status: response.status, code: error?.code };
}

/** Sends a body of one-byte chunks after one of `padding` bytes. Each chunk costs the same, whatever its size. */
function sendInBytes(token: string, bytes: number, padding = 0): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    let received = '';
    socket.on('error', () => {});
    socket.on('data', (data) => {
      received += data;
      socket.destroy();
    });
    socket.on('close', () => resolve(received));
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: Bearer ${token}\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const first = padding > 0 ? `${padding.toString(16)}\r\n${' '.repeat(padding)}\r\n` : '';
    const chunks = [...bodyOf(bytes)].map((byte) => `1\r\n${byte}\r\n`).join('');
    socket.write(`${head}${first}${chunks}0\r\n\r\n`);
  });
}

/** Begins a request that never ends its body. */
function begin(token: string, bytes: number) {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {});
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: Bearer ${token}\r\nContent-Length: ${bytes + 1}\r\n\r\n`;
  socket.write(head + bodyOf(bytes));
  return socket;
}

describe('bodies without a valid key', () => {
  const cases = [
    ['no key', () => undefined],
    ['a key with a wrong checksum', () => malformed],
    ['an invented key with a correct checksum', unknown],
  ] as const;

  it.each(cases)('a body without an accepted key is counted and dropped, then 401: %s', async (_, tokenOf) => {
    for (const chunked of [false, true]) {
      expect(await send(tokenOf(), bodyOf(maxBytes), { chunked })).toEqual({ status: 401, code: 'unauthorized' });
    }
    expect(ended.map(({ bytes }) => bytes?.length)).toEqual([0, 0]);
    expect(budget.bytes).toBe(0);
  });

  it.each(cases)('a body above the bound is 413 before 401: %s', async (_, tokenOf) => {
    for (const chunked of [false, true]) {
      expect(await send(tokenOf(), bodyOf(maxBytes + 1), { chunked })).toEqual({
        status: 413,
        code: 'invalid_request',
      });
    }
  });

  it('a body stays in its connection while its key is looked up', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    keysRespond = promise;
    const sending = send(unknown(), bodyOf(maxBytes), { chunked: true });
    await expect.poll(() => lookUps).toBe(2);
    expect(budget.bytes).toBe(0);
    resolve();
    expect((await sending).status).toBe(401);
    expect(lookUps).toBe(2);
  });

  it('a body with a key of a wrong checksum causes no look-up', async () => {
    await send(malformed, bodyOf(maxBytes));
    expect(lookUps).toBe(1);
  });
});

describe('bodies that their operation does not read', () => {
  it('a body that its operation does not read is dropped also with a valid key', async () => {
    for (const to of ['/v1/nowhere', announcedOperation.path]) await send(valid, bodyOf(maxBytes), { to });
    expect(ended.map(({ bytes }) => bytes?.length)).toEqual([0, 0]);
  });
});

describe('bodies with a valid key', () => {
  it('bodies have at most the share of their workspace, and a further request is 503 until bytes are free', async () => {
    const senders = [begin(valid, maxBytes - 1), begin(valid, maxBytes - 1), begin(valid, maxBytes - 1)];
    await expect.poll(() => budget.bytes).toBe(3 * (maxBytes - 1));
    expect(await send(valid, bodyOf(100_000))).toEqual({ status: 503, code: 'concurrency_limited' });
    // A body above the bound has precedence.
    expect((await send(valid, bodyOf(maxBytes + 1), { chunked: true })).status).toBe(413);
    for (const socket of senders) socket.destroy();
    await expect.poll(() => budget.bytes).toBe(0);
    expect((await send(valid, bodyOf(100_000))).status).toBe(200);
  });

  it('a body with a valid key is read whole, whatever the size of its chunks', async () => {
    expect((await send(valid, bodyOf(maxBytes), { chunked: true })).status).toBe(200);
    const body = ended.at(-1)?.bytes;
    expect([body?.length, body?.subarray(0, 14).toString()]).toEqual([maxBytes, '{"domains":[]}']);
  });
});

describe('bodies of a spent rate', () => {
  it.each(['rate_limited', 'admitted'] as const)(
    'a body of a key with a spent rate is counted and dropped, then 429, even when %s after the body',
    async (decided) => {
      spentSeconds = 16;
      outcome = decided;
      for (const chunked of [false, true]) {
        expect(await send(valid, bodyOf(maxBytes), { chunked })).toEqual({ status: 429, code: 'rate_limited' });
        expect((await send(valid, bodyOf(maxBytes + 1), { chunked })).status).toBe(413);
      }
      expect(ended.map(({ bytes }) => bytes?.length ?? 0)).toEqual([0, 0, 0, 0]);
      expect(budget.bytes).toBe(0);
    },
  );
});

describe('bodies that arrive near the next minute', () => {
  it('a body that can arrive after the rate is free again is read, and its request is admitted in the new minute', async () => {
    spentSeconds = 15;
    expect((await send(valid, bodyOf(maxBytes))).status).toBe(200);
    expect(ended.at(-1)?.bytes?.length).toBe(maxBytes);
  });
});

describe('bodies in many chunks', () => {
  it.each([
    ['a valid key', () => valid],
    ['a malformed key', () => malformed],
  ])('a body in too many chunks is 400 that names it, before it is read whole, with %s', async (_, tokenOf) => {
    const answer = await sendInBytes(tokenOf(), 60_000);
    expect(answer).toMatch(/^HTTP\/1\.1 400 .*Connection: close.*body: must arrive in larger chunks/s);
    expect(budget.bytes).toBe(0);
  });

  it('a body may have a thousand chunks of any size, and one more for 64 bytes', async () => {
    expect(await sendInBytes(valid, 1_000)).toMatch(/^HTTP\/1\.1 200 /);
    expect(await sendInBytes(valid, 2_000, 100_000)).toMatch(/^HTTP\/1\.1 200 /);
  });
});

/** Makes a request with the valid key and keeps its connection open. */
async function keepOpen(expected: RegExp) {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {});
  let received = '';
  socket.on('data', (data) => {
    received += data;
  });
  socket.write(`GET /v1/account HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${valid}\r\n\r\n`);
  await expect.poll(() => received).toMatch(expected);
  return socket;
}

const closedOf = (sockets: Socket[]) => sockets.filter(({ destroyed }) => destroyed).length;

describe('connections', () => {
  it('connections of callers without a valid key are bounded per address, while those of admitted requests stay', async () => {
    const admitted = [await keepOpen(/ 200 /), await keepOpen(/ 200 /)];
    expect(connections.size).toBe(0);
    const anonymous = Array.from({ length: 6 }, () => begin(malformed, 255_000));
    await expect.poll(() => closedOf(anonymous)).toBe(2);
    expect(connections.size).toBe(4);
    expect(closedOf(admitted)).toBe(0);
    for (const socket of [...admitted, ...anonymous]) socket.destroy();
    await expect.poll(() => connections.size).toBe(0);
  });

  it('connections of a valid key above its rate are bounded like those without a key', async () => {
    outcome = 'rate_limited';
    const sockets: Socket[] = [];
    for (let i = 0; i < 6; i++) sockets.push(await keepOpen(/ 429 /));
    await expect.poll(() => closedOf(sockets)).toBe(2);
    expect(connections.size).toBe(4);
  });

  it('connections of a valid key whose requests are not complete are bounded like those without a key', async () => {
    const sockets = Array.from({ length: 6 }, () => begin(valid, 1_000));
    await expect.poll(() => closedOf(sockets)).toBe(2);
    expect(connections.size).toBe(4);
    await expect.poll(() => budget.bytes).toBe(4_000);
  });
});
