import type { Socket } from 'node:net';
import { Client } from 'undici';

export interface ClientOptions {
  /** Opens a connection to a checked address. */
  connect(): Promise<Socket>;
  maxHeaderBytes: number;
  /** The limit of the time until the headers are complete. 0: the caller limits the time. */
  headersTimeoutMs: number;
  /** The limit of a pause within the body. 0: the caller limits the time. */
  bodyTimeoutMs: number;
}

/** It is longer than any pause between two requests of one caller, so that connections are reused. The server may set a shorter time. */
const keepAliveMs = 10_000;

/** An HTTP/1.1 client of one origin. It has one connection, sends one request at a time, follows no redirect and repeats no request. */
export function createClient(origin: string, options: ClientOptions): Client {
  const client = new Client(origin, {
    connect: (_target, callback) => {
      options.connect().then(
        (socket) => callback(null, socket),
        (error: Error) => callback(error, null),
      );
    },
    pipelining: 1,
    allowH2: false,
    maxHeaderSize: options.maxHeaderBytes,
    headersTimeout: options.headersTimeoutMs,
    bodyTimeout: options.bodyTimeoutMs,
    keepAliveTimeout: keepAliveMs,
  });
  // Without a listener, a connection error after the end of its request would be an uncaught exception.
  client.on('connectionError', () => {});
  return client;
}
