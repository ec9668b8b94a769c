import { connect } from 'node:net';
import { mapConcurrently } from '../map-concurrently.ts';

/** A request as bytes, because HTTP clients cannot send malformed requests. */
export interface RawRequest {
  /** What is unusual about it. */
  name: string;
  bytes: Buffer;
  /** Whether the client stops in the middle of the request. */
  isCut?: boolean;
}

export interface RawAnswer {
  /** 0 if the connection closed without a response. */
  status: number;
  /** The names of headers have lower case. */
  headers: ReadonlyMap<string, string>;
}

const answerTimeoutMs = 20_000;

/** Sends the request on a new connection and closes it afterwards. Skips interim responses. */
export function send(port: number, { name, bytes, isCut }: RawRequest): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    const end = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answerOf(text));
    };
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`no answer within ${answerTimeoutMs} ms to ${name}`));
    }, answerTimeoutMs);
    socket.on('data', (data) => {
      text += data.toString('latin1');
      // Only the head of the response is compared.
      if (finalHead(text).includes('\r\n\r\n')) end();
    });
    // A server may close before it has read everything.
    socket.on('error', end);
    socket.on('close', end);
    // If a client has ended its side, Node sends only error responses.
    if (isCut) socket.end(bytes);
    else socket.write(bytes);
  });
}

/** Sends all requests in order, at most `maxConcurrent` at a time. */
export const sendAll = <R extends RawRequest>(port: number, requests: readonly R[], maxConcurrent = 12) =>
  mapConcurrently(requests, maxConcurrent, async (request) => ({ request, answer: await send(port, request) }));

const finalHead = (text: string) => text.replace(/^(?:HTTP\/1\.1 1\d\d [^\r]*\r\n(?:[^\r]+\r\n)*\r\n)+/, '');

function answerOf(text: string): RawAnswer {
  const [line = '', ...lines] = (finalHead(text).split('\r\n\r\n', 1)[0] ?? '').split('\r\n');
  const headers = new Map(
    lines.map((each) => [each.split(':', 1)[0]?.toLowerCase() ?? '', each.replace(/^[^:]*: */, '')]),
  );
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(line)?.[1] ?? 0), headers };
}
