import { type AddressInfo, connect, type Socket } from 'node:net';
import { ManualClock } from '@shopscope/clock';
import { createLogger } from '@shopscope/telemetry';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { servedBy } from '../../../test/served-by.ts';
import type { Caller } from '../../keys/caller.ts';
import { createAccessLog } from '../../request-log/access-log.ts';
import { createBodyBudget } from '../body/body-budget.ts';
import { indexOperations } from '../operation-index.ts';
import type { EndedRequest } from '../request.ts';
import { createHttpServer } from '../server.ts';
import { createSendReply } from './send-reply.ts';
import { createWriteBody } from './write-body.ts';

/** More than the kernel holds for a connection. */
const body = Buffer.alloc(64 * 1024 * 1024, 'x');
const handle = () => ({ status: 200, headers: {}, body });

let clock: ManualClock;
let slots: number;
let ended: EndedRequest[];
let observedSeconds: number[];
let server: ReturnType<typeof createHttpServer>;

beforeEach(async () => {
  clock = new ManualClock();
  slots = 0;
  ended = [];
  observedSeconds = [];
  const accessLog = createAccessLog({
    logger: createLogger({ service: 'test', instance: 'test', level: 'silent' }),
    metrics: { observeRequest: ({ seconds }) => void observedSeconds.push(seconds) },
    activity: { count: () => {} },
    successSample: 0,
  });
  const writeStream = async () => {};
  const writeBody = createWriteBody({ clock, onCut: (request) => Object.assign(request, { isCut: true }) });
  const send = createSendReply({ balances: { remaining: () => 7 }, isDraining: () => false, writeBody, writeStream });
  server = createHttpServer({
    clock,
    isStopping: () => false,
    authenticateKey: {
      authenticate: () => ({ plan: {}, scopes: ['read:stores'] }) as unknown as Caller,
      invalidate: () => {},
      size: 0,
    },
    bodyBudget: createBodyBudget(),
    admission: {
      async decide() {
        slots++;
        return { outcome: 'admitted', remaining: 3, resetSeconds: 20, release: () => slots-- };
      },
      isFarFromLimits: () => false,
      spentSeconds: () => 0,
    },
    send,
    index: indexOperations(servedBy({ handle })),
    readAddress: () => '203.0.113.9',
    accessLog(request) {
      ended.push(request);
      accessLog(request);
    },
    onParserError: () => {},
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** A connection whose reader has taken the beginning of its answer. */
async function ask(): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write('GET /v1/stores/shop.example HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer x\r\n\r\n');
  await new Promise((resolve) => socket.once('data', resolve));
  socket.pause();
  return socket;
}

const turn = () => new Promise(setImmediate);

describe('slow readers', () => {
  it('a caller that stops reading holds its slot until its connection is cut 30 s later, and its log line says so', async () => {
    const socket = await ask();
    // What the kernel takes is progress, until its buffers are full.
    for (let second = 0; slots > 0; second++) {
      expect(second).toBeLessThan(100);
      clock.advance(1_000);
      await turn();
    }
    expect(clock.monotonicMs()).toBeGreaterThanOrEqual(30_000);
    expect(ended).toMatchObject([{ isCut: true }]);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.resume();
    await closed;
  });

  it('a caller that reads on in time gets the whole answer, and its slot is free then', async () => {
    const socket = await ask();
    clock.advance(29_000);
    await turn();
    expect([slots, ended]).toEqual([1, []]);
    let received = 0;
    socket.on('data', (data) => {
      received += data.length;
    });
    socket.resume();
    await expect.poll(() => slots).toBe(0);
    expect(ended).toMatchObject([{ isCut: false }]);
    await expect.poll(() => received).toBeGreaterThan(body.length - 65_536);
    socket.destroy();
  });

  it('a caller that stops reading counts in metrics only with the time until its answer was made', async () => {
    const socket = await ask();
    clock.advance(29_000);
    await turn();
    socket.destroy();
    await expect.poll(() => ended.length).toBe(1);
    expect(observedSeconds).toEqual([0]);
  });
});
