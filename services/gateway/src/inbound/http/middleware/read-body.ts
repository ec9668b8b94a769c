import { AppError } from '@shopscope/errors';
import type { Request, RequestHandler } from 'express';

/** 256 KB, also when chunked. */
export const maxBodyBytes = 262_144;

const tooLarge = () =>
  new AppError('invalid_request', `body: must not exceed ${maxBodyBytes} bytes`, {
    status: 413,
    details: { field: 'body' },
  });

/**
 * Reads the body before a slot is taken, so that slow senders hold nothing but their connection (the server's request
 * timeout ends them). Never holds more than the bound, and a caller who asks first is told to go on only here.
 */
export const readBody: RequestHandler = (request, response, next) => {
  const { headers } = request;
  const length = headers['content-length'];
  if (length === undefined && headers['transfer-encoding'] === undefined) return next();
  if (length !== undefined && Number(length) > maxBodyBytes) throw tooLarge();
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
      if (!request.complete) stop(new AppError('invalid_request', 'body: ended early'));
    });
  });
}
