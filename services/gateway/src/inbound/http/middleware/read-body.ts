import { AppError } from '@shopscope/errors';
import type { Request, RequestHandler } from 'express';

export const maxBodyBytes = 262_144;

/** `length` is undefined for a chunked body, which is not read to its end. */
const tooLarge = (length?: number) => {
  const received = length === undefined ? 'more' : length.toLocaleString('en-US');
  return new AppError(
    'invalid_request',
    `body: must have at most ${maxBodyBytes.toLocaleString('en-US')} bytes, not ${received}`,
    {
      status: 413,
      details: { field: 'body' },
    },
  );
};

/**
 * Reads the body.
 *
 * - A slow sender holds only its connection, until the request timeout of the server.
 * - `Expect: 100-continue` -> 100 is sent here, after the checks of the headers.
 * - Bound: `maxBodyBytes`, also for a chunked body.
 */
export const readBody: RequestHandler = (request, response, next) => {
  const { headers } = request;
  const length = headers['content-length'];
  if (length === undefined && headers['transfer-encoding'] === undefined) return next();
  if (length !== undefined && Number(length) > maxBodyBytes) throw tooLarge(Number(length));
  if (headers.expect !== undefined) response.writeContinue();
  collect(request).then((body) => {
    request.exchange.body = body;
    next();
  }, next);
};

function collect(request: Request): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const stop = (error: unknown) => {
      request.removeAllListeners('data');
      reject(error);
    };
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBodyBytes) return stop(tooLarge());
      chunks.push(chunk);
    });
    request.once('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    request.once('error', stop);
    request.once('close', () => {
      if (!request.complete) stop(new AppError('invalid_request', 'body: must be complete; it ended too early'));
    });
  });
}
