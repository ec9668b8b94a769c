import { once } from 'node:events';
import type { RequestListener, Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { ManualClock } from '@shopscope/clock';
import { waitUntil } from '@shopscope/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { connectionBounds, createPublicServer } from './public-server.ts';

/** Short bounds, so that a test ends with its connection and waits for nothing else. */
const short = { ...connectionBounds, headersTimeoutMs: 50, requestTimeoutMs: 100, checkMs: 10 };
const largePage = Buffer.alloc(64 * 1024 * 1024);

describe('public listener', { tags: ['wall-clock'] }, () => {
  let server: Server;
  let clock: ManualClock;
  const sockets: Socket[] = [];
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    server.closeAllConnections();
    server.close();
  });
  const open = async (bounds = short, listener: RequestListener = (_, response) => response.end('page')) => {
    clock = new ManualClock();
    server = createPublicServer(listener, bounds, clock);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return () => {
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
      socket.on('error', () => {});
      sockets.push(socket);
      return socket;
    };
  };
  const textOf = async (socket: Socket) => {
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    await once(socket, 'close');
    return text;
  };

  it('a connection ends with 408 when its headers or its body come slowly', async () => {
    const dial = await open(short, (request) => request.resume());
    for (const sent of ['GET / HTTP/1.1\r\nHost: a', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab']) {
      const socket = dial();
      socket.write(sent);
      expect(await textOf(socket)).toMatch(/^HTTP\/1\.1 408 /);
    }
  });

  it('a connection ends when the response is read too slowly, so that the page leaves memory', async () => {
    const [begun, closed] = [Promise.withResolvers<void>(), Promise.withResolvers<boolean>()];
    const dial = await open(connectionBounds, (_, response) => {
      response.once('close', () => closed.resolve(response.writableFinished));
      response.end(largePage);
      begun.resolve();
    });
    const socket = dial();
    socket.pause();
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await begun.promise;
    clock.advance(connectionBounds.responseTimeoutMs - 1);
    expect(sockets[0]?.closed).toBe(false);
    // Two hours at 8 KB/s are more than the kernel holds for a connection, and less than the page.
    clock.advance(7_200_000);
    expect(await closed.promise).toBe(false);
  });

  it('a connection stays while a long response is read fast enough', async () => {
    const bytesPerWrite = 1024 * 1024;
    const writes = 30;
    const begun = Promise.withResolvers<ServerResponse>();
    const dial = await open(connectionBounds, (_, response) => begun.resolve(response));
    const socket = dial();
    const reading = textOf(socket);
    let received = 0;
    socket.on('data', ({ length }) => {
      received += length;
    });
    socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    const response = await begun.promise;
    for (let n = 1; n <= writes; n++) {
      response.write(Buffer.alloc(bytesPerWrite));
      await waitUntil('the part to be read', () => received >= n * bytesPerWrite);
      clock.advance(connectionBounds.responseTimeoutMs);
    }
    response.end();
    expect((await reading).length).toBeGreaterThan(writes * bytesPerWrite);
  });

  it('a connection is closed at once when there are too many, and the others are served', async () => {
    const dial = await open({ ...connectionBounds, maxConnections: 2 });
    const first = [dial(), dial()];
    await Promise.all(first.map((socket) => once(socket, 'connect')));
    expect(await textOf(dial())).toBe('');
    for (const socket of first) {
      socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
      expect(await textOf(socket)).toMatch(/^HTTP\/1\.1 200 /);
    }
  });
});
