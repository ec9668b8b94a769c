import type { RequestListener } from 'node:http';
import { createServer as createHttpsServer, type ServerOptions } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type SecureContext, type TlsOptions } from 'node:tls';
import { type CertificateAuthority, createAuthority } from '@shopscope/certificates';
import { ManualClock } from '@shopscope/clock';
import { createAddressPolicy } from '../../src/address-policy.ts';
import { createTlsContext, type Dial, dialTcp } from '../../src/connect.ts';
import type { NameResolver } from '../../src/resolver.ts';
import { createSender, type SenderOptions } from '../../src/sender.ts';
import { noTestHosts } from '../../src/test-hosts.ts';

export const publicAddress = '93.184.215.14';
export const receiverName = 'hooks.shop-with-a-name.com';
export const receiverUrl = `https://${receiverName}/in`;

const validity = { notBefore: new Date(Date.UTC(2026, 0, 1)), notAfter: new Date(Date.UTC(2099, 0, 1)) };

export interface Receivers {
  /** Trusts the authority that issued the certificates of the receivers. */
  tlsContext: SecureContext;
  certificateOf: (
    hosts: readonly string[],
    dates?: Partial<typeof validity>,
  ) => ReturnType<CertificateAuthority['issue']>;
  /** Each starts a server on loopback and returns its port. The certificate names `receiverName` unless the options have another. */
  https(onRequest: RequestListener, options?: ServerOptions): Promise<number>;
  tls(onSocket: (socket: Socket) => void, options?: TlsOptions): Promise<number>;
  tcp(onSocket: (socket: Socket) => void): Promise<number>;
  /** The number of open connections. */
  connections(): number;
  /** Closes every connection. */
  disconnect(): void;
  stop(): void;
}

export async function startReceivers(): Promise<Receivers> {
  const authority = await createAuthority('receivers', validity);
  const certificateOf: Receivers['certificateOf'] = (hosts, dates = {}) =>
    authority.issue('receiver', { uris: [], hosts, ...validity, ...dates });
  const own = await certificateOf([receiverName]);
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  const listen = async (server: Server): Promise<number> => {
    servers.push(server);
    server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => sockets.delete(socket));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  };
  const disconnect = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    tlsContext: createTlsContext(authority.cert),
    certificateOf,
    https: (onRequest, options = own) => listen(createHttpsServer(options, onRequest)),
    tls: (onSocket, options = own) =>
      listen(
        createTlsServer(options, (socket) => {
          socket.on('error', () => {});
          onSocket(socket);
        }),
      ),
    tcp: (onSocket) => listen(createTcpServer(onSocket)),
    connections: () => sockets.size,
    disconnect,
    stop() {
      disconnect();
      for (const server of servers) server.close();
    },
  };
}

/** Answers with these addresses, round by round, and records the names. */
export function answers(...rounds: string[][]): NameResolver & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    resolve: async (hostname) => {
      asked.push(hostname);
      return rounds[Math.min(asked.length, rounds.length) - 1] ?? [];
    },
  };
}

/** Dials a server on loopback in place of each public address, and never another server. */
export function dialling(port: number): { dial: Dial; dialled: string[] } {
  const dialled: string[] = [];
  return {
    dialled,
    dial: async (address, dialledPort, abort) => {
      dialled.push(`${address}:${dialledPort}`);
      const socket = await dialTcp('127.0.0.1', port, abort);
      return Object.defineProperty(socket, 'remoteAddress', { value: address });
    },
  };
}

export const timeoutMs = 15_000;
export const maxResponseBytes = 64 * 1_024;

const defaultContext = createTlsContext();

/** A sender with the limits of webhooks. `post` sends to the receiver. */
export function senderTo(port: number, options: Partial<SenderOptions> = {}) {
  const clock = new ManualClock();
  const { dial, dialled } = dialling(port);
  const refused: string[] = [];
  const sender = createSender({
    policy: createAddressPolicy([]),
    resolver: answers([publicAddress]),
    testHosts: noTestHosts,
    dial,
    tlsContext: defaultContext,
    clock,
    maxHeaderBytes: 16 * 1_024,
    maxResponseBytes,
    maxIdleConnections: 10,
    onRefused: (_hostname, _address, range) => refused.push(range),
    ...options,
  });
  const post = (url = receiverUrl) =>
    sender.send(
      { url, headers: { 'content-type': 'application/json', 'webhook-id': 'evt_1' }, body: '{"a":1}' },
      timeoutMs,
    );
  return { ...sender, post, clock, dialled, refused };
}
