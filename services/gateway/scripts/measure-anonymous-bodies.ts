import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '@shopscope/clock';
import { newApiKey } from '@shopscope/ids';
import { KeyStatus, type VerifyKeyResponse } from '@shopscope/proto';
import { operations } from '../src/endpoints/operations.ts';
import type { Route } from '../src/endpoints/route.ts';
import type { ServedOperationId } from '../src/endpoints/served.ts';
import { createBodyBudget } from '../src/http/body/body-budget.ts';
import { indexOperations } from '../src/http/operation-index.ts';
import { createSendReply } from '../src/http/reply/send-reply.ts';
import { createWriteBody } from '../src/http/reply/write-body.ts';
import { createHttpServer } from '../src/http/server.ts';
import { createAuthFailures } from '../src/keys/auth-failures.ts';
import { createAuthenticateKey } from '../src/keys/authenticate-key.ts';
import { createConnectionLimits } from '../src/limits/connection-limits.ts';

/**
 * Measures the memory of the public listener while callers without a valid key send 255 KB each and never end:
 * `node --conditions=@shopscope/source services/gateway/scripts/measure-anonymous-bodies.ts [CONNECTIONS] [malformed|unknown]`.
 * The listener is a process of its own without the bound of connections, so the figure is that of each connection.
 */
const bytes = 255_000;
const [, , first = '3000', second = 'malformed'] = process.argv;

if (first === 'serve') await serve();
else await measure(Number(first), second === 'unknown');

async function measure(connections: number, isUnknown: boolean): Promise<void> {
  const child = spawn(process.execPath, [...process.execArgv, import.meta.filename, 'serve'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = await new Promise<number>((resolve) => child.stdout.once('data', (text) => resolve(Number(text))));
  const residentMiB = () => {
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
  };
  const before = residentMiB();
  const sockets: Socket[] = [];
  const body = Buffer.alloc(bytes, ' ');
  for (let i = 0; i < connections; i++) {
    const key = isUnknown ? newApiKey('live') : 'svc_live_x';
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    socket.write(
      `POST /v1/stores/enrich HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Length: ${bytes + 1}\r\n\r\n`,
    );
    socket.write(body);
    sockets.push(socket);
    if (i % 100 === 99) await sleep(20);
  }
  let most = before;
  for (let i = 0; i < 40; i++) {
    await sleep(100);
    most = Math.max(most, residentMiB());
  }
  const open = sockets.filter(({ destroyed }) => !destroyed).length;
  console.log(`${open} open connections of ${connections}: ${before} MiB before, at most ${most} MiB`);
  for (const socket of sockets) socket.destroy();
  child.kill();
}

async function serve(): Promise<void> {
  const route: Route = () => ({ status: 200, headers: {}, body: Buffer.from('{}') });
  const keys = {
    verifyKey: async () => {
      await sleep(1_000);
      return { status: KeyStatus.UNKNOWN } as VerifyKeyResponse;
    },
  };
  const clock = systemClock;
  const authFailures = createAuthFailures({ clock, maxPerMinute: 1_000_000 });
  const writeBody = createWriteBody({ clock, onCut: () => {} });
  const unbounded = Number.POSITIVE_INFINITY;
  const readAddress = () => '203.0.113.9';
  const server = createHttpServer({
    clock,
    isDraining: () => false,
    authenticateKey: createAuthenticateKey({ clock, authFailures, keys }),
    bodyBudget: createBodyBudget(),
    connections: createConnectionLimits({ max: unbounded, maxPerAddress: unbounded, readAddress, onClosed: () => {} }),
    admission: {
      decide: async () => ({ outcome: 'admitted', remaining: 1, resetSeconds: 1, release: () => {} }),
      isFarFromLimits: () => false,
      spentSeconds: () => 0,
    },
    begins: {},
    routes: Object.fromEntries(operations.map(({ id }) => [id, route])) as Record<ServedOperationId, Route>,
    send: createSendReply({ balances: { remaining: () => 1 }, isDraining: () => false, writeBody }),
    index: indexOperations(operations),
    readAddress,
    accessLog: () => {},
    onParserError: () => {},
  });
  server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
}
