import { connect } from 'node:net';
import { errorEnvelope } from '../../../src/contract/errors.ts';
import { operations } from '../../../src/endpoints/endpoints.ts';
import type { TestGateway } from './gateway.ts';

export interface TestAnswer {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely; schemas are asserted where they matter
  body: any;
}

export interface CallOptions {
  key?: string | undefined;
  method?: string;
  headers?: Record<string, string>;
  /** Sent as JSON, unless it is a string. */
  body?: unknown;
}

/** One request of a fresh or kept connection. */
export async function call(
  gateway: Pick<TestGateway, 'url'>,
  path: string,
  options: CallOptions = {},
): Promise<TestAnswer> {
  const { key, body } = options;
  const init: RequestInit = {
    method: options.method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...options.headers,
    },
    redirect: 'manual',
  };
  if (body !== undefined) init.body = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(`${gateway.url}${path}`, init);
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: text === '' ? undefined : parse(text) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Fails when the body is not what the contract says of this operation, or has members that it does not name. */
export function fitsContract(answer: TestAnswer, operationId: string): void {
  const operation = operations.find(({ id }) => id === operationId);
  const successes = [operation?.success, operation?.otherSuccess];
  const success = successes.find((each) => each?.status === answer.status) ?? operation?.success;
  const schema = answer.status < 400 ? success?.schema : errorEnvelope;
  if (!schema) throw new Error(`${operationId} has no schema`);
  const parsed = schema.parse(answer.body);
  if (JSON.stringify(sorted(parsed)) !== JSON.stringify(sorted(answer.body))) {
    throw new Error(`${operationId} has members beside its schema`);
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  );
}

/** Longer than the time limits of the gateway. */
const closeTimeoutMs = 30_000;
const lastId = 'last-of-connection';
const last = `GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Request-Id: ${lastId}\r\n\r\n`;
const asksToClose = (text: string) => /^connection: close\r$/im.test(text);

/**
 * Sends bytes as they are and resolves to everything that comes back until the gateway closes the connection.
 *
 * - The gateway answers and keeps the connection -> one more request closes it, and its response is left out. Every response to the bytes
 *   comes before it.
 * - The gateway does not close the connection -> rejects.
 */
export function sendRaw(port: number, chunks: readonly (string | Buffer)[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    let isClosing = chunks.some((chunk) => asksToClose(chunk.toString('latin1')));
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`The gateway did not close the connection. It sent: ${received}`));
    }, closeTimeoutMs);
    const end = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve(withoutLast(received));
    };
    socket.on('data', (data) => {
      received += data.toString('latin1');
      if (isClosing || !received.includes('\r\n\r\n') || asksToClose(received)) return;
      isClosing = true;
      socket.write(last);
    });
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? end() : reject(error),
    );
    socket.on('close', end);
    for (const chunk of chunks) socket.write(chunk);
  });
}

/** Leaves the response to {@link last} out, which is the last one. */
function withoutLast(received: string): string {
  const start = received.lastIndexOf('HTTP/1.1 ');
  return received.slice(start).includes(`X-Request-Id: ${lastId}\r\n`) ? received.slice(0, start) : received;
}

/** The status, the head and the JSON body of a response as {@link sendRaw} returns it. */
export function envelopeOf(raw: string) {
  const [head = '', ...rest] = raw.split('\r\n\r\n');
  return {
    status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]),
    head,
    body: JSON.parse(rest.join('\r\n\r\n').replace(/^[0-9a-f]+\r\n|\r\n0\r\n$/g, '')),
  };
}
