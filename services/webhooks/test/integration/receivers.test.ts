import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { ManualClock } from '@shopscope/clock';
import { waitUntil } from '@shopscope/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { createHttpSender } from '../../src/outbound/http/http-sender.ts';

describe('the sender of messages', () => {
  const servers: { server: Server; sockets: Set<Socket> }[] = [];
  const clock = new ManualClock();
  afterEach(async () => {
    for (const { server, sockets } of servers.splice(0)) {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    }
  });
  const listen = async (server: Server): Promise<string> => {
    const sockets = new Set<Socket>();
    server.on('connection', (socket: Socket) => sockets.add(socket));
    servers.push({ server, sockets });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  };
  const senderOf = (allowsLoopback: boolean) =>
    createHttpSender({ clock, deniedCidrs: [], allowsLoopback, onRefused: () => {} });
  const timeoutMs = 15_000;
  const send = async (url: string) => {
    const sender = senderOf(true);
    try {
      return await sender.send({ url, headers: {}, body: '{}' }, timeoutMs);
    } finally {
      await sender.close();
    }
  };

  it('a receiver that hangs or sends without end costs 15 s or 64 KB', async () => {
    let isAsked = false;
    const hangs = send(await listen(createTcpServer((socket) => socket.on('data', () => (isAsked = true)))));
    await waitUntil('the request', () => isAsked);
    clock.advance(timeoutMs);
    expect((await hangs).error?.code).toBe('timeout');
    const endless = createServer((_, response) => {
      const write = () => {
        while (!response.destroyed && response.write('x'.repeat(16_384)));
        response.once('drain', write);
      };
      write();
    });
    const { response } = await send(await listen(endless));
    expect([response?.status, response?.body.length]).toEqual([200, 64 * 1024]);
  });

  it('without the setting, no URL of this machine is accepted or reached', async () => {
    const sender = senderOf(false);
    for (const url of ['https://127.0.0.1/', 'https://0x7f.1/', 'https://[::1]/', 'https://[::ffff:127.0.0.1]/']) {
      expect((await sender.send({ url, headers: {}, body: '' }, timeoutMs)).error?.code).toBe('blocked_address');
      expect(await sender.checkUrl(url, timeoutMs)).toBe('blocked_address');
    }
  });
});
