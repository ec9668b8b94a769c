import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';
import { waitUntil } from './wait-until.ts';

/** A server that sends back what it receives. */
describe('a TCP proxy', () => {
  let server: Server;
  let proxy: TcpProxy;
  const served: Socket[] = [];
  const clients: Socket[] = [];

  beforeEach(async () => {
    server = createServer((socket) => {
      served.push(socket.on('error', () => {}));
      socket.pipe(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    proxy = await startTcpProxy({ hostname: '127.0.0.1', port: (server.address() as AddressInfo).port });
  });
  afterEach(async () => {
    for (const socket of [...clients.splice(0), ...served.splice(0)]) socket.destroy();
    await proxy.close();
    server.close();
  });

  const open = async () => {
    const socket = connect(proxy.port, '127.0.0.1');
    clients.push(socket.on('error', () => {}));
    const seen = { text: '', bytes: 0 };
    socket.on('data', (chunk) => {
      seen.text += chunk.toString().slice(0, 100);
      seen.bytes += chunk.length;
    });
    await once(socket, 'connect');
    return Object.assign(socket, { seen });
  };
  const answered = (socket: { seen: { text: string } }, text: string) =>
    waitUntil(`the answer ${text}`, () => socket.seen.text === text);
  /** Enough turns of the event loop for bytes to pass, if they may pass. */
  const turns = async () => {
    for (let n = 0; n < 200; n++) await turn();
  };

  it('a TCP proxy passes bytes both ways and counts the connections', async () => {
    const [one, two] = [await open(), await open()];
    one.write('one');
    two.write('two');
    await answered(one, 'one');
    await answered(two, 'two');
    expect(proxy.connections).toBe(2);
  });

  it('a TCP proxy that is frozen delays the bytes and the close of old and new connections until the thaw', async () => {
    const old = await open();
    old.write('a');
    await answered(old, 'a');
    proxy.freeze();
    const young = await open();
    old.write('b');
    young.write('c');
    served[0]?.destroy();
    await turns();
    expect([old.seen.text, young.seen.text, old.destroyed]).toEqual(['a', '', false]);
    proxy.thaw();
    await answered(young, 'c');
    await waitUntil('the end that was held back', () => old.destroyed);
  });

  it('a TCP proxy that is frozen while its buffers are full passes nothing until the thaw, and then everything', async () => {
    const megabytes = Buffer.alloc(16 * 1024 * 1024);
    const socket = await open();
    socket.pause();
    socket.write(megabytes);
    await waitUntil('full buffers', () => served[0]?.isPaused());
    proxy.freeze();
    socket.resume();
    await turns();
    const held = socket.seen.bytes;
    await turns();
    expect(socket.seen.bytes).toBe(held);
    expect(held).toBeLessThan(megabytes.length);
    proxy.thaw();
    await waitUntil('every byte', () => socket.seen.bytes === megabytes.length);
  });

  it('a TCP proxy that cuts its connections ends the open ones and passes new ones', async () => {
    const old = await open();
    proxy.cut();
    await waitUntil('the end of the connection', () => old.destroyed);
    const young = await open();
    young.write('a');
    await answered(young, 'a');
  });

  it('a TCP proxy that refuses connections has none open and takes none, until it accepts again on the same port', async () => {
    const old = await open();
    await proxy.refuse();
    await waitUntil('the end of the connection', () => old.destroyed);
    await expect(open()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await proxy.accept();
    const young = await open();
    young.write('a');
    await answered(young, 'a');
    expect(proxy.connections).toBe(2);
  });

  it('a TCP proxy passes what the server wrote before it ended its connection', async () => {
    const socket = await open();
    socket.write('a');
    await answered(socket, 'a');
    const megabytes = Buffer.alloc(4 * 1024 * 1024);
    served[0]?.end(megabytes);
    await waitUntil('every byte', () => socket.seen.bytes === megabytes.length + 1);
  });

  it('a TCP proxy ends the connection if its server is not there', async () => {
    server.close();
    const socket = await open();
    await waitUntil('the end of the connection', () => socket.destroyed);
  });
});
