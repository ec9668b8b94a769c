import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { startNameServer } from '@shopscope/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createNameResolver } from '../src/resolver.ts';
import {
  maxResponseBytes,
  type Receivers,
  receiverName,
  receiverUrl,
  senderTo,
  startReceivers,
  timeoutMs,
} from './support/receivers.ts';

let receivers: Receivers;
beforeAll(async () => {
  receivers = await startReceivers();
});
afterEach(() => receivers.disconnect());
afterAll(() => receivers.stop());

const failed = (code: string) => ({ error: { code } });
const postTo = (port: number) => senderTo(port, { tlsContext: receivers.tlsContext }).post();

/** A raw receiver that calls `respond` when it has the request. */
const afterRequest = (respond: (socket: Socket) => void) =>
  receivers.tls((socket) => socket.once('data', () => respond(socket)));

/** Writes the chunk until the peer closes the connection, as fast as the peer reads. */
function writeForever(stream: Writable, chunk: Buffer): void {
  const more = () => {
    if (stream.destroyed) return;
    while (stream.write(chunk));
    stream.once('drain', more);
  };
  more();
}

/** Writes the text slowly until the peer closes the connection. */
function drip(socket: Socket, start: string, text: string): void {
  socket.write(start);
  const timer = setInterval(() => socket.write(text), 5);
  socket.on('close', () => clearInterval(timer));
}

describe('time of a request', () => {
  const ok = 'HTTP/1.1 200 OK\r\n';
  const hanging: [what: string, onRequest: (socket: Socket) => void][] = [
    ['sends nothing', () => {}],
    ['sends its headers slowly', (socket) => drip(socket, ok, 'x-a: b\r\n')],
    ['sends early hints for ever', (socket) => drip(socket, '', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n')],
    ['sends its body slowly', (socket) => drip(socket, `${ok}content-length: 1000000\r\n\r\n`, 'a')],
    ['stops within its body', (socket) => socket.write(`${ok}content-length: 10\r\n\r\nabc`)],
  ];
  it.each(hanging)(
    'a request ends at its time limit when the receiver %s, and its connection is closed',
    async (_, respond) => {
      const requested = Promise.withResolvers<void>();
      const port = await afterRequest((socket) => {
        respond(socket);
        requested.resolve();
      });
      const sender = senderTo(port, { tlsContext: receivers.tlsContext });
      const sending = sender.post();
      await requested.promise;
      sender.clock.advance(timeoutMs - 1);
      expect(await Promise.race([sending, 'not ended'])).toBe('not ended');
      sender.clock.advance(1);
      expect(await sending).toMatchObject(failed('timeout'));
      await expect.poll(receivers.connections).toBe(0);
    },
  );

  it('a request ends at its time limit within the TLS handshake', async () => {
    const connected = Promise.withResolvers<void>();
    const port = await receivers.tcp((socket) => socket.once('data', () => connected.resolve()));
    const sender = senderTo(port, { tlsContext: receivers.tlsContext });
    const sending = sender.post();
    await connected.promise;
    sender.clock.advance(timeoutMs);
    expect(await sending).toMatchObject(failed('timeout'));
    await expect.poll(receivers.connections).toBe(0);
  });

  it('a request ends at its time limit while it connects', async () => {
    const dialled = Promise.withResolvers<void>();
    const sender = senderTo(0, {
      dial: (_address, _port, abort) => {
        dialled.resolve();
        return new Promise((_, reject) => abort.addEventListener('abort', () => reject(abort.reason)));
      },
    });
    const sending = sender.post();
    await dialled.promise;
    sender.clock.advance(timeoutMs);
    expect(await sending).toMatchObject(failed('timeout'));
  });

  it('a request and a check of a URL end at their time limit while the name servers are silent', async () => {
    const names = await startNameServer({});
    for (const type of ['A', 'AAAA']) names.break(`${type} ${receiverName}`, 'silent');
    const resolver = createNameResolver({ timeoutMs: 60_000, servers: [names.address] });
    const sender = senderTo(0, { resolver });
    const ending = Promise.all([sender.post(), sender.checkUrl(receiverUrl, timeoutMs)]);
    await expect.poll(() => names.queries.length).toBe(4);
    sender.clock.advance(timeoutMs);
    expect(await ending).toMatchObject([failed('dns_unavailable'), 'timeout']);
    expect(sender.dialled).toEqual([]);
    names.close();
  });
});

describe('responses', () => {
  const responding = async (onRequest: RequestListener) => postTo(await receivers.https(onRequest));

  it('a redirect to itself is a response, and the request is not sent again', async () => {
    let requests = 0;
    const { response } = await responding((_, own) => {
      requests += 1;
      own.writeHead(307, { location: receiverUrl }).end('elsewhere');
    });
    expect(response).toMatchObject({ status: 307, headers: { location: receiverUrl } });
    expect(requests).toBe(1);
  });

  it('the first 64 KB of an endless body are the body of the response, and the connection is closed', async () => {
    const { response } = await responding((_, own) => writeForever(own.writeHead(200), Buffer.alloc(10_000, 'a')));
    expect([response?.status, response?.body.length]).toEqual([200, maxResponseBytes]);
    await expect.poll(receivers.connections).toBe(0);
  });

  it('a decompression bomb is not inflated', async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000));
    const { response } = await responding((_, own) => own.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb));
    expect(bomb.subarray(0, maxResponseBytes).equals(response?.body ?? Buffer.alloc(0))).toBe(true);
  });

  it.each([
    ['before its response', (socket: Socket) => socket.destroy()],
    ['within its headers', (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\nx-a')],
    ['within its body', (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc')],
    ['within a chunk', (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nabc')],
  ])('a connection that a receiver closes %s is a connection_reset', async (_, respond) => {
    expect(await postTo(await afterRequest(respond))).toMatchObject(failed('connection_reset'));
  });

  it('a connection that a receiver closes before the request is dialled once', async () => {
    const sender = senderTo(await receivers.tls((socket) => socket.destroy()), { tlsContext: receivers.tlsContext });
    expect(await sender.post()).toMatchObject(failed('connection_reset'));
    expect(sender.dialled).toHaveLength(1);
  });

  it.each([
    'SSH-2.0-OpenSSH_9.6\r\n',
    'HTTP/1.1 abc\r\n\r\n',
    'HTTP/1.1 099 Odd\r\ncontent-length: 0\r\n\r\n',
    'HTTP/1.1 000 Odd\r\ncontent-length: 3\r\n\r\nodd',
    'HTTP/1.1 200 OK\r\ncontent-length: a\r\n\r\n',
    'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
    `HTTP/1.1 200 OK\r\n${'x-a: b\r\n'.repeat(10_000)}\r\n`,
  ])('a response that is not valid is an invalid_response: %j', async (text) => {
    expect(await postTo(await afterRequest((socket) => socket.write(text)))).toMatchObject(failed('invalid_response'));
  });
});

describe('TLS of a receiver', () => {
  const respond: RequestListener = (_, response) => response.end();
  const postWith = async (options: Parameters<Receivers['https']>[1]) =>
    postTo(await receivers.https(respond, options));

  it('a receiver may have TLS 1.2', async () => {
    const own = await receivers.certificateOf([receiverName]);
    expect((await postWith({ ...own, maxVersion: 'TLSv1.2' })).response?.status).toBe(200);
  });

  it('a receiver with TLS 1.1 is a tls_failure', async () => {
    const own = await receivers.certificateOf([receiverName]);
    const old = { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
    expect(await postWith({ ...own, ...old })).toMatchObject(failed('tls_failure'));
  });

  it('a certificate of another name is a tls_failure', async () => {
    expect(await postWith(await receivers.certificateOf(['other.com']))).toMatchObject(failed('tls_failure'));
  });

  it('a certificate that has expired is a tls_failure', async () => {
    const dates = { notAfter: new Date(Date.UTC(2026, 0, 2)) };
    expect(await postWith(await receivers.certificateOf([receiverName], dates))).toMatchObject(failed('tls_failure'));
  });

  it('a certificate of an unknown authority is a tls_failure', async () => {
    expect(await senderTo(await receivers.https(respond)).post()).toMatchObject(failed('tls_failure'));
  });

  it('a receiver without TLS is a tls_failure', async () => {
    const plain = await receivers.tcp((socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad\r\n\r\n')));
    expect(await postTo(plain)).toMatchObject(failed('tls_failure'));
  });

  it('a receiver that nobody listens at is a connection_refused', async () => {
    const sender = senderTo(0, {
      dial: () => Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })),
    });
    expect(await sender.post()).toMatchObject(failed('connection_refused'));
  });
});
