import type { RequestListener } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { answers, publicAddress, type Receivers, receiverName, senderTo, startReceivers } from './support/receivers.ts';

const otherAddress = '93.184.215.15';
const otherName = 'other.shop-with-a-name.com';
let receivers: Receivers;
let port: number;
let requests = 0;

beforeAll(async () => {
  receivers = await startReceivers();
  const certificate = await receivers.certificateOf([receiverName, otherName]);
  port = await receivers.https((request, response) => {
    requests += 1;
    request.resume();
    request.on('end', () => respond(request, response));
  }, certificate);
});
let respond: RequestListener;
beforeEach(() => {
  requests = 0;
  respond = (_, response) => response.end('thanks');
});
afterEach(() => receivers.disconnect());
afterAll(() => receivers.stop());

const senderWith = (options: Parameters<typeof senderTo>[1] = {}, to = port) =>
  senderTo(to, { tlsContext: receivers.tlsContext, ...options });

describe('connections of a sender', () => {
  it('a connection is reused while the name, which is resolved for each request, still has its address', async () => {
    const resolver = answers([publicAddress], [otherAddress, publicAddress]);
    const sender = senderWith({ resolver });
    for (let n = 0; n < 3; n += 1) expect((await sender.post()).response?.status).toBe(200);
    expect([requests, resolver.asked.length, sender.dialled]).toEqual([3, 3, [`${publicAddress}:443`]]);
  });

  it('a connection is not reused when the name has moved to another address', async () => {
    const sender = senderWith({ resolver: answers([publicAddress], [otherAddress]) });
    for (let n = 0; n < 2; n += 1) expect((await sender.post()).response?.status).toBe(200);
    expect(sender.dialled).toEqual([`${publicAddress}:443`, `${otherAddress}:443`]);
  });

  it('a connection is not reused when the name also has a private address', async () => {
    const sender = senderWith({ resolver: answers([publicAddress], [publicAddress, '10.0.0.1']) });
    expect((await sender.post()).response?.status).toBe(200);
    expect(await sender.post()).toMatchObject({ error: { code: 'blocked_address' } });
    expect(requests).toBe(1);
  });

  it.each([`https://${otherName}/in`, `https://${receiverName}:8443/in`])(
    'a connection is not reused for the other origin of %s at the same address',
    async (url) => {
      const sender = senderWith();
      await sender.post();
      expect((await sender.post(url)).response?.status).toBe(200);
      expect(sender.dialled).toHaveLength(2);
    },
  );

  it('requests at the same time have connections of their own, of which only a limited number stays open', async () => {
    const sender = senderWith({ maxIdleConnections: 2 });
    const all = await Promise.all(Array.from({ length: 5 }, () => sender.post()));
    expect(all.map(({ response }) => response?.status)).toEqual(Array(5).fill(200));
    expect(sender.dialled).toHaveLength(5);
    await expect.poll(receivers.connections).toBe(2);
    await sender.close();
    await expect.poll(receivers.connections).toBe(0);
  });

  it('a connection whose response was cut is not reused', async () => {
    const sender = senderWith({ maxResponseBytes: 3 });
    expect(Buffer.from((await sender.post()).response?.body ?? []).toString()).toBe('tha');
    await sender.post();
    expect(sender.dialled).toHaveLength(2);
  });

  it('a connection is not reused when the receiver closes it after its response', async () => {
    respond = (_, response) => response.writeHead(200, { connection: 'close' }).end();
    const sender = senderWith();
    for (let n = 0; n < 2; n += 1) expect((await sender.post()).response?.status).toBe(200);
    expect(sender.dialled).toHaveLength(2);
  });

  it('a request is sent again on a new connection, once, when the receiver closes the reused one', async () => {
    let sent = 0;
    const closing = await receivers.tls((socket) => {
      let isFirst = true;
      socket.on('data', () => {
        sent += 1;
        if (isFirst && sent !== 3) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
        else socket.destroy();
        isFirst = false;
      });
    });
    const sender = senderWith({}, closing);
    expect((await sender.post()).response?.status).toBe(200);
    // The second message arrives at the reused connection, the third one at a new connection. Both are closed.
    expect(await sender.post()).toMatchObject({ error: { code: 'connection_reset' } });
    expect([sent, sender.dialled.length]).toEqual([3, 2]);
    expect((await sender.post()).response?.status).toBe(200);
    expect((await sender.post()).response?.status).toBe(200);
    expect([sent, sender.dialled.length]).toEqual([6, 4]);
  });
});
