import { maxHeaderSize, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { invalidField } from '@shopscope/errors';
import { newId } from '@shopscope/ids';
import { errorReply } from './error-reply.ts';
import { headersTimeoutMs, requestTimeoutMs } from './timeouts.ts';

/**
 * Responds to input that never becomes a request: invalid HTTP, headers that are too slow or too large, CONNECT. The error
 * envelope is written to the socket, and the connection closes. Nothing is written when a response has already begun.
 */
const problems: Record<string, [field: string, problem: string]> = {
  HPE_HEADER_OVERFLOW: ['headers', `must have at most ${maxHeaderSize.toLocaleString('en-US')} bytes, not more`],
  ERR_HTTP_REQUEST_TIMEOUT: [
    'request',
    `must arrive within ${requestTimeoutMs / 1_000} s, its headers within ${headersTimeoutMs / 1_000} s; it did not`,
  ],
};

interface WithResponse {
  _httpMessage?: { headersSent?: boolean } | null;
}

export function handleParserErrors(server: Server, onParserError: (code: string, requestId: string) => void): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const code = error.code ?? 'unknown';
    if (code === 'ECONNRESET' || !socket.writable || (socket as WithResponse)._httpMessage?.headersSent) {
      socket.destroy();
      return;
    }
    const [field, problem] = problems[code] ?? ['request', 'must be valid HTTP/1.1; it is not'];
    onParserError(code, refuse(socket, field, problem));
  });
  server.on('connect', (_request, socket) => {
    onParserError('CONNECT', refuse(socket, 'method', 'must be one of the contract, not CONNECT'));
  });
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
