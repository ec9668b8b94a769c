import { createSocket, type Socket } from 'node:dgram';
import ipaddr from 'ipaddr.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createNameResolver, type NameResolver } from '../../src/outbound/web/resolver.ts';

const records: Record<string, string[]> = {
  'shop.com': ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
  'four.com': ['93.184.215.14'],
  'localhost.com': ['127.0.0.1'],
  'many.com': Array.from({ length: 50 }, (_, i) => `93.184.215.${i + 1}`),
};
const typeA = 1;
const typeAaaa = 28;

/** A name server with a table. It does not respond for names that begin with `silent`. */
function answerTo(query: Buffer): Buffer | undefined {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.subarray(at + 1, at + 1 + length).toString('latin1'));
    at += length + 1;
  }
  const name = labels.join('.').toLowerCase();
  if (name.startsWith('silent')) return undefined;
  const type = query.readUInt16BE(at + 1);
  const question = query.subarray(12, at + 5);
  const addresses = (records[name] ?? []).filter((address) => (address.includes(':') ? typeAaaa : typeA) === type);
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(records[name] ? 0x8180 : 0x8183, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(addresses.length, 6);
  const answers = addresses.map((address) => {
    const bytes = ipaddr.parse(address).toByteArray();
    return Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, bytes.length, ...bytes]);
  });
  return Buffer.concat([header, question, ...answers]);
}

let server: Socket;
let resolver: NameResolver;
beforeAll(async () => {
  server = createSocket('udp4');
  server.on('message', (query, peer) => {
    const answer = answerTo(query);
    if (answer) server.send(answer, peer.port, peer.address);
  });
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve));
  resolver = createNameResolver({ timeoutMs: 100, servers: [`127.0.0.1:${server.address().port}`] });
});
afterAll(() => server.close());

const never = new AbortController().signal;

describe('the resolver', () => {
  it('returns every address of a name, IPv4 first', async () => {
    expect(await resolver.resolve('shop.com', never)).toEqual(records['shop.com']);
    expect(await resolver.resolve('four.com', never)).toEqual(['93.184.215.14']);
  });

  it('also returns private addresses, because the address policy decides about them', async () => {
    expect(await resolver.resolve('localhost.com', never)).toEqual(['127.0.0.1']);
  });

  it('limits the number of addresses', async () => {
    expect(await resolver.resolve('many.com', never)).toHaveLength(20);
  });

  it.each(['nowhere.com', 'localhost', 'silent.com'])(
    'reports %s as a dns_failure, because it does not read the hosts file',
    async (name) => {
      await expect(resolver.resolve(name, never)).rejects.toMatchObject({ reason: 'dns_failure' });
    },
  );

  it('stops when its abort signal fires', async () => {
    const patient = createNameResolver({ timeoutMs: 60_000, servers: [`127.0.0.1:${server.address().port}`] });
    const abort = new AbortController();
    const resolving = patient.resolve('silent.com', abort.signal);
    abort.abort(new Error('given up'));
    await expect(resolving).rejects.toThrow('given up');
  });
});
