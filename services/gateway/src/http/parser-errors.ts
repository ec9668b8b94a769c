import { type IncomingMessage, maxHeaderSize, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { invalidField } from '@shopscope/errors';
import { newId } from '@shopscope/ids';
import { errorReply } from './reply/error-reply.ts';
import { headersTimeoutMs, requestTimeoutMs } from './timeouts.ts';

/**
 * Ends connections whose input never becomes a request: invalid HTTP, headers that are too slow or too large, CONNECT.
 *
 * - No earlier request of the connection is unanswered -> 400 with the error envelope is sent, and the connection closes.
 * - An earlier request is unanswered -> the connection closes without a status. Its caller would read a 400 as the response to
 *   the earlier request, which may be billed.
 * - A response has already begun -> the connection closes without a status, too.
 */
const problems: Record<string, [field: string, problem: string]> = {
  HPE_HEADER_OVERFLOW: ['headers', `must have at most ${maxHeaderSize.toLocaleString('en-US')} bytes, not more`],
  ERR_HTTP_REQUEST_TIMEOUT: [
    'request',
    `must arrive within ${requestTimeoutMs / 1_000} s, its headers within ${headersTimeoutMs / 1_000} s; it did not`,
  ],
};

/** `requestId` is the request id of the 400. It is undefined if the connection closed without a status. */
export type OnParserError = (code: string, requestId: string | undefined) => void;

interface OpenRequest {
  message: IncomingMessage;
  response: ServerResponse;
}

/**
 * Whether the whole response is in the buffer of the socket. A 400 then comes after it. A complete response that waits for
 * an earlier one has no socket yet: a 400 would take its place.
 */
const isWritten = (response: ServerResponse, socket: Duplex) =>
  response.writableFinished || (response.writableEnded && response.socket === socket);

export function handleParserErrors(server: Server, onParserError: OnParserError) {
  /** The requests of each connection whose response has not been closed. */
  const open = new WeakMap<Duplex, Set<OpenRequest>>();
  const openOf = (socket: Duplex) => [...(open.get(socket) ?? [])];
  const unansweredOf = (socket: Duplex) => openOf(socket).filter(({ response }) => !isWritten(response, socket));

  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const code = error.code ?? 'unknown';
    if (code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    // An incomplete request is the one whose body is invalid. The 400 is its response, unless its response has begun.
    const excludesStatus = ({ message, response }: OpenRequest) => message.complete || response.headersSent;
    if (unansweredOf(socket).some(excludesStatus)) {
      socket.destroy();
      onParserError(code, undefined);
      return;
    }
    const [field, problem] = problems[code] ?? ['request', 'must be valid HTTP/1.1; it is not'];
    onParserError(code, refuse(socket, field, problem));
  });
  server.on('connect', (_request, socket) => {
    // Node has removed its own listeners from the socket and no longer handles its errors, timeouts and end.
    socket.on('error', () => {});
    socket.on('timeout', () => socket.destroy());
    socket.once('close', () => {
      for (const { response } of openOf(socket)) response.destroy();
    });
    if (unansweredOf(socket).length === 0) {
      onParserError('CONNECT', refuse(socket, 'method', 'must be one of the contract, not CONNECT'));
      return;
    }
    socket.destroy();
    onParserError('CONNECT', undefined);
  });

  return {
    /** Call it for every request before the request is served. */
    add(message: IncomingMessage, response: ServerResponse): void {
      const { socket } = message;
      const requests = open.get(socket) ?? new Set();
      open.set(socket, requests);
      const request = { message, response };
      requests.add(request);
      response.once('close', () => requests.delete(request));
    },
  };
}

/** Returns the request id of the response. */
function refuse(socket: Duplex, field: string, problem: string): string {
  const requestId = newId('req');
  const { status, headers, body } = errorReply(invalidField(field, problem), requestId);
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `X-Request-Id: ${requestId}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${body?.length ?? 0}`,
    'Connection: close',
    '',
    '',
  ];
  socket.on('error', () => {});
  socket.end(Buffer.concat([Buffer.from(lines.join('\r\n')), body ?? Buffer.alloc(0)]), () => socket.destroy());
  return requestId;
}
