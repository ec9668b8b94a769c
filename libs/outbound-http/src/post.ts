import { createClient } from './client.ts';
import { type ConnectOptions, openConnection } from './connect.ts';
import { OutboundError } from './errors.ts';
import { type Exchanged, exchange } from './exchange.ts';
import type { Connection, IdleConnections } from './idle-connections.ts';
import type { Route } from './route.ts';

export interface PostOptions extends Pick<ConnectOptions, 'policy' | 'dial' | 'tlsContext' | 'onRefused'> {
  /** The addresses that were checked for this request. */
  route: Route;
  idle: IdleConnections;
  maxHeaderBytes: number;
  /** Further bytes of a response are not read. */
  maxResponseBytes: number;
}

interface Post {
  url: URL;
  headers: Record<string, string>;
  body: string | Uint8Array;
}

type Response = Pick<Exchanged, 'status' | 'headers' | 'body'>;

/** Sends one POST request and reads the beginning of its response. */
export async function post(options: PostOptions, request: Post, abort: AbortSignal): Promise<Response> {
  const used = options.idle.take(options.route.addresses.map((address) => peerOf(request.url, options.route, address)));
  if (used) {
    try {
      return await exchangeOn(used, { options, request, abort });
    } catch (error) {
      if (!(error instanceof OutboundError && error.code === 'connection_reset')) throw error;
      // The server closed the connection while it was idle. The receiver may get the request twice: it is sent at least once.
    }
  }
  return exchangeOn(newConnection(options, request.url, abort), { options, request, abort });
}

const peerOf = (url: URL, { port }: Route, address: string): string => `${url.origin} ${address} ${port}`;

function newConnection(options: PostOptions, url: URL, abort: AbortSignal): Connection {
  let isOpened = false;
  const connect = async () => {
    // The client would open another connection, to addresses that are no longer checked.
    if (isOpened) throw new OutboundError('connection_reset', 'the connection closed before the request');
    isOpened = true;
    const connecting = { ...options, route: async () => options.route, onSecure: () => {} };
    const { socket, address } = await openConnection(connecting, url, abort);
    connection.peer = peerOf(url, options.route, address);
    return socket;
  };
  const client = createClient(url.origin, {
    connect,
    maxHeaderBytes: options.maxHeaderBytes,
    headersTimeoutMs: 0,
    bodyTimeoutMs: 0,
  });
  const connection: Connection = { client, peer: undefined, isClosed: false };
  client.once('disconnect', () => options.idle.remove(connection));
  return connection;
}

interface Exchange {
  options: PostOptions;
  request: Post;
  abort: AbortSignal;
}

/** Keeps the connection if the response was read to its end, and closes it otherwise. */
async function exchangeOn(connection: Connection, { options, request, abort }: Exchange): Promise<Response> {
  let isKept = false;
  try {
    const { url, headers, body } = request;
    const exchanged = await exchange(
      connection.client,
      {
        method: 'POST',
        path: `${url.pathname}${url.search}`,
        headers: { ...headers, 'accept-encoding': 'identity' },
        body,
        decode: false,
        wantsBody: () => true,
        // A body that is not decoded has one limit.
        maxWireBytes: Number.POSITIVE_INFINITY,
        maxBytes: options.maxResponseBytes,
      },
      abort,
    );
    if (exchanged.ending === 'broken') throw exchanged.error;
    isKept = exchanged.ending === 'whole';
    return { status: exchanged.status, headers: exchanged.headers, body: exchanged.body };
  } finally {
    if (isKept) options.idle.put(connection);
    else await connection.client.destroy();
  }
}
