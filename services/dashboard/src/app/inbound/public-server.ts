import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Clock, systemClock } from '@shopscope/clock';

/**
 * Bounds of one connection to the public listener.
 *
 * - Headers or a body are sent slowly -> 408, and the connection closes.
 * - A response is read slowly -> the connection closes, even if the response is not complete, so that the page does not stay in memory. A
 *   longer export is sent to its end while it is read fast enough.
 * - Too many connections -> new ones are closed at once. A proxy in front of this service has its own bound per address.
 */
export const connectionBounds = {
  headersTimeoutMs: 10_000,
  /** For headers and body. The largest form, a list of domains, has 1.1 MB. */
  requestTimeoutMs: 30_000,
  /** From the request to the last byte of the response, if it is read more slowly than `responseBytesPerSecond`. */
  responseTimeoutMs: 60_000,
  responseBytesPerSecond: 8 * 1024,
  /** The interval at which Node searches for slow requests. */
  checkMs: 1_000,
  maxConnections: 5_000,
};

export function createPublicServer(
  listener: RequestListener,
  bounds = connectionBounds,
  clock: Clock = systemClock,
): Server {
  const options = {
    headersTimeout: bounds.headersTimeoutMs,
    requestTimeout: bounds.requestTimeoutMs,
    connectionsCheckingInterval: bounds.checkMs,
    // The application answers a request without Host with a page.
    requireHostHeader: false,
  };
  const server = createServer(options, (request, response) => {
    endSlowReader(request.socket, response, bounds, clock);
    listener(request, response);
  });
  server.maxConnections = bounds.maxConnections;
  // Without this handler, Node closes the connection without a status.
  server.on('connect', (_request, socket) => {
    socket.on('error', () => {});
    socket.end(
      'HTTP/1.1 405 Method Not Allowed\r\nAllow: GET, HEAD, POST\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
    );
  });
  return server;
}

function endSlowReader(
  socket: Socket,
  response: ServerResponse,
  bounds: typeof connectionBounds,
  clock: Pick<Clock, 'monotonicMs' | 'after'>,
): void {
  const readBytes = () => socket.bytesWritten - socket.writableLength;
  const [startMs, startBytes] = [clock.monotonicMs(), readBytes()];
  const check = () => {
    const seconds = (clock.monotonicMs() - startMs) / 1_000;
    if (readBytes() - startBytes < seconds * bounds.responseBytesPerSecond) socket.destroy();
    else cancel = clock.after(bounds.checkMs, check);
  };
  let cancel = clock.after(bounds.responseTimeoutMs, check);
  response.once('close', () => cancel());
}
