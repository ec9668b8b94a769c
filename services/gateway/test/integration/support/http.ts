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
  const schema = answer.status < 400 ? operation?.success.schema : errorEnvelope;
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

/** Sends bytes as they are and returns what comes back until the connection closes or `untilMs` have passed. */
export function sendRaw(port: number, chunks: readonly (string | Buffer)[], untilMs = 3_000): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    const end = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve(received);
    };
    const timer = setTimeout(end, untilMs);
    socket.on('data', (data) => {
      received += data.toString('latin1');
    });
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? end() : reject(error),
    );
    socket.on('close', end);
    for (const chunk of chunks) socket.write(chunk);
  });
}
