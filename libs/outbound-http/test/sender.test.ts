import type { IncomingHttpHeaders } from 'node:http';
import { hostileAddresses, hostileTargets } from '@shopscope/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { dialTcp } from '../src/connect.ts';
import { loopbackHosts } from '../src/test-hosts.ts';
import {
  answers,
  publicAddress,
  type Receivers,
  receiverUrl,
  senderTo,
  startReceivers,
  timeoutMs,
} from './support/receivers.ts';

let receivers: Receivers;
let port: number;
let received: { method?: string; url?: string; headers: IncomingHttpHeaders; body: string }[] = [];

beforeAll(async () => {
  receivers = await startReceivers();
  port = await receivers.https((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      received.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(202, { 'X-One': ['a', 'b'] }).end('thanks');
    });
  });
});
afterEach(() => {
  received = [];
  receivers.disconnect();
});
afterAll(() => receivers.stop());

const toReceiver = (options: Parameters<typeof senderTo>[1] = {}) =>
  senderTo(port, { tlsContext: receivers.tlsContext, ...options });
const blocked = { error: { code: 'blocked_address' } };

describe('a sender', () => {
  it('a sender posts the body with the headers of its caller over TLS and returns the response', async () => {
    const sender = toReceiver();
    const { response } = await sender.post('https://hooks.shop-with-a-name.com:8443/in?a=1#part');
    expect(response).toMatchObject({ status: 202, headers: { 'x-one': 'a, b' } });
    expect(Buffer.from(response?.body ?? []).toString()).toBe('thanks');
    expect(received).toEqual([
      {
        method: 'POST',
        url: '/in?a=1',
        headers: {
          host: 'hooks.shop-with-a-name.com:8443',
          connection: 'keep-alive',
          'content-type': 'application/json',
          'content-length': '7',
          'webhook-id': 'evt_1',
          'accept-encoding': 'identity',
        },
        body: '{"a":1}',
      },
    ]);
    expect(sender.dialled).toEqual([`${publicAddress}:8443`]);
  });

  it('a sender rejects headers that are not valid instead of blaming the server', async () => {
    const request = { url: receiverUrl, headers: { 'x-a': 'a\r\nx-b: b' }, body: '' };
    await expect(toReceiver().send(request, timeoutMs)).rejects.toThrow('invalid');
    expect(received).toEqual([]);
  });

  it('a sender uses no proxy of the environment', async () => {
    let visits = 0;
    const proxy = await receivers.tcp((socket) => {
      visits += 1;
      socket.destroy();
    });
    const names = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'ALL_PROXY'];
    const before = names.map((name) => process.env[name]);
    for (const name of names) process.env[name] = `http://127.0.0.1:${proxy}`;
    try {
      expect((await toReceiver().post()).response?.status).toBe(202);
    } finally {
      for (const [n, name] of names.entries()) {
        if (before[n] === undefined) delete process.env[name];
        else process.env[name] = before[n];
      }
    }
    expect(visits).toBe(0);
  });
});

describe('addresses of a sender', () => {
  it.each(hostileAddresses)(
    'a sender refuses a name when any of its addresses is not public: %s, alone and beside public addresses',
    async (address) => {
      for (const addresses of [[address], [publicAddress, address], [address, '2606:4700::1111']]) {
        const sender = toReceiver({ resolver: answers(addresses) });
        expect(await sender.post()).toMatchObject(blocked);
        expect(await sender.checkUrl(receiverUrl, timeoutMs)).toBe('blocked_address');
        expect(sender.dialled).toEqual([]);
        expect(sender.refused).toHaveLength(2);
      }
    },
  );

  it('a sender connects only to the address that it checked, and refuses the name as soon as it has a private address', async () => {
    const resolver = answers([publicAddress], ['127.0.0.1']);
    const sender = toReceiver({ resolver });
    expect((await sender.post()).response?.status).toBe(202);
    expect(await sender.post()).toMatchObject(blocked);
    expect(sender.dialled).toEqual([`${publicAddress}:443`]);
    expect(resolver.asked).toHaveLength(2);
  });

  it('a sender closes a connection to another address than the checked one before it writes a byte', async () => {
    let bytes = 0;
    const peer = await receivers.tcp((socket) => {
      socket.on('data', (chunk) => {
        bytes += chunk.length;
      });
    });
    const sender = toReceiver({ dial: (_address, _port, signal) => dialTcp('127.0.0.1', peer, signal) });
    expect(await sender.post()).toMatchObject(blocked);
    await expect.poll(receivers.connections).toBe(0);
    expect(bytes).toBe(0);
  });

  it('a sender dials the second address when the first one refuses the connection', async () => {
    const dialled: string[] = [];
    const sender = toReceiver({
      resolver: answers(['93.184.215.15', publicAddress]),
      dial: async (address, _port, signal) => {
        dialled.push(address);
        if (address !== publicAddress) throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
        const socket = await dialTcp('127.0.0.1', port, signal);
        return Object.defineProperty(socket, 'remoteAddress', { value: address });
      },
    });
    expect((await sender.post()).response?.status).toBe(202);
    expect(dialled).toEqual(['93.184.215.15', publicAddress]);
  });

  it('a sender reaches a public address without a name when the certificate has the address', async () => {
    const own = await receivers.https((_, response) => response.end(), await receivers.certificateOf(['8.8.8.8']));
    const sender = senderTo(own, { tlsContext: receivers.tlsContext, resolver: answers() });
    expect((await sender.post('https://8.8.8.8/')).response?.status).toBe(200);
    expect(await sender.post('https://8.8.4.4/')).toMatchObject({ error: { code: 'tls_failure' } });
    expect(sender.dialled).toEqual(['8.8.8.8:443', '8.8.4.4:443']);
  });

  it('a sender reaches plain http on loopback only where loopback is allowed', async () => {
    const plain = await receivers.tcp((socket) => {
      socket.once('data', () => socket.end('HTTP/1.1 204 No Content\r\n\r\n'));
    });
    const url = `http://localhost:${plain}/`;
    const developing = senderTo(plain, { testHosts: loopbackHosts, dial: dialTcp });
    expect(await developing.checkUrl(url, timeoutMs)).toBeUndefined();
    expect((await developing.post(url)).response?.status).toBe(204);
    const deployed = toReceiver();
    expect(await deployed.checkUrl(url, timeoutMs)).toBe('not_https');
    expect(await deployed.post(url)).toMatchObject(blocked);
    expect(deployed.dialled).toEqual([]);
  });
});

describe('URLs of a sender', () => {
  /** Other ports and public addresses are allowed for webhooks, unlike for scans. */
  const allowed = ['another port than 80 and 443', 'a public address'];
  const forbidden = hostileTargets.filter(({ kind }) => !allowed.includes(kind));

  it.each(forbidden)('a sender sends nothing to $kind', async ({ locations }) => {
    expect(allowed.every((kind) => hostileTargets.some((targets) => targets.kind === kind))).toBe(true);
    const resolver = answers([publicAddress]);
    const sender = toReceiver({ resolver });
    for (const location of locations) {
      const url = location.replace(/^http:/, 'https:');
      const problem = await sender.checkUrl(url, timeoutMs);
      expect(['blocked_address', 'malformed', 'not_https', 'has_credentials', 'dns_failure'], url).toContain(problem);
      expect(await sender.post(url), url).toMatchObject({ error: { code: 'blocked_address' } });
    }
    expect([resolver.asked, sender.dialled, received]).toEqual([[], [], []]);
  });

  it('a sender checks a URL by resolving its name, without a connection', async () => {
    const sender = toReceiver();
    expect(await sender.checkUrl(receiverUrl, timeoutMs)).toBeUndefined();
    expect(await sender.checkUrl('https://receiver.example/', timeoutMs)).toBe('dns_failure');
    expect(sender.dialled).toEqual([]);
  });
});
