import { AppError, invalidField } from '@shopscope/errors';
import type { Request, RequestHandler } from 'express';
import { announcesBody } from '../header-lines.ts';
import type { BodyShare } from './body-budget.ts';
import { createBodyCollector } from './body-collector.ts';

export const maxBodyBytes = 262_144;

/**
 * Each chunk costs some microseconds, whatever its size: a body of one-byte chunks would cost half a second. A sender that writes
 * each entry of a batch as a chunk stays below this bound.
 */
export const maxChunks = (bytes: number): number => 1_024 + bytes / 64;

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

/** Refuses a body by its length, before any of it is read. */
export const rejectLargeBody: RequestHandler = ({ headers }, _response, next) => {
  const length = headers['content-length'];
  if (length !== undefined && Number(length) > maxBodyBytes) throw tooLarge(Number(length));
  next();
};

/**
 * Reads the body. The bytes of a request without a share of the memory for bodies are counted and dropped.
 *
 * - A slow sender holds only its connection, until the request timeout of the server.
 * - `Expect: 100-continue` -> 100 is sent here, after the checks of the headers.
 * - The share is spent -> the rest is dropped. `admit` refuses the request, because a larger body and a refused key have
 *   precedence.
 * - Bounds: `maxBodyBytes`, also for a chunked body, and {@link maxChunks}.
 */
export const readBody: RequestHandler = (request, response, next) => {
  const { headers, exchange } = request;
  if (!announcesBody(request)) return next();
  if (headers.expect !== undefined) response.writeContinue();
  collect(request, exchange.bodyShare).then(({ body, refusal }) => {
    exchange.body = body;
    exchange.overload ??= refusal;
    next();
  }, next);
};

interface Collected {
  body: Buffer;
  refusal: AppError | undefined;
}

function collect(request: Request, share: BodyShare | undefined): Promise<Collected> {
  return new Promise((resolve, reject) => {
    const kept = createBodyCollector();
    let refusal: AppError | undefined;
    let isKept = share !== undefined;
    let size = 0;
    let chunks = 0;
    const drop = () => {
      isKept = false;
      kept.clear();
      share?.close();
    };
    const stop = (error: unknown) => {
      request.removeAllListeners('data');
      drop();
      reject(error);
    };
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      chunks += 1;
      if (size > maxBodyBytes) return stop(tooLarge());
      if (chunks > maxChunks(size)) return stop(invalidField('body', 'must arrive in larger chunks; it has too many'));
      if (!isKept) return;
      refusal = share?.add(chunk.length);
      if (refusal) drop();
      else kept.add(chunk);
    });
    request.once('end', () => resolve({ body: kept.take(), refusal }));
    request.once('error', stop);
    request.once('close', () => {
      if (!request.complete) stop(new AppError('invalid_request', 'body: must be complete; it ended too early'));
    });
  });
}
