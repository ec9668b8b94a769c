import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createHttpSender } from '../../src/outbound/http/http-sender.ts';

describe('the sender', () => {
  const servers: { server: Server; sockets: Set<Socket> }[] = [];
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
  const send = (url: string, abort = new AbortController().signal) =>
    createHttpSender({ allowsLoopback: true }).send({ url, headers: {}, body: '{}' }, abort);

  it('a receiver that sends without end costs 64 KB, and its response counts', async () => {
    const server = createServer((_, response) => {
      const write = () => {
        while (!response.destroyed && response.write('x'.repeat(16_384)));
        response.once('drain', write);
      };
      write();
    });
    const { response } = await send(await listen(server));
    expect(response?.status).toBe(200);
    expect(response?.body).toHaveLength(64 * 1024);
  });

  it('a redirect is a response, and is not followed', async () => {
    let requests = 0;
    const server = createServer((_, response) => {
      requests += 1;
      response.writeHead(302, { location: '/' }).end();
    });
    expect((await send(await listen(server))).response?.status).toBe(302);
    expect(requests).toBe(1);
  });

  it('a receiver that resets, hangs, or does not speak HTTP has a closed code', async () => {
    const resets = createTcpServer((socket) => socket.on('data', () => socket.resetAndDestroy()));
    expect(await send(await listen(resets))).toEqual({ error: { code: 'connection_reset' } });
    const babbles = createTcpServer((socket) => socket.on('data', () => socket.end('SSH-2.0-x\r\n')));
    expect(await send(await listen(babbles))).toEqual({ error: { code: 'invalid_response' } });
    const limit = new AbortController();
    const hangs = createTcpServer((socket) => socket.on('data', () => limit.abort()));
    expect(await send(await listen(hangs), limit.signal)).toEqual({ error: { code: 'timeout' } });
    const closed = createTcpServer();
    const url = await listen(closed);
    await new Promise((resolve) => closed.close(resolve));
    expect(await send(url)).toEqual({ error: { code: 'connection_refused' } });
  });

  it('without the setting, this machine is not reached', async () => {
    const sender = createHttpSender({ allowsLoopback: false });
    const abort = new AbortController().signal;
    for (const url of ['https://127.0.0.1/', 'https://0x7f.1/', 'https://[::1]/', 'https://[::ffff:127.0.0.1]/']) {
      expect(await sender.send({ url, headers: {}, body: '' }, abort)).toEqual({ error: { code: 'blocked_address' } });
      expect(await sender.urlProblemOf(url, abort)).toBeTypeOf('string');
    }
  });
});
