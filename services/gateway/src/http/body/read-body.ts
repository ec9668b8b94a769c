import type { IncomingMessage } from 'node:http';
import { AppError, invalidField } from '@shopscope/errors';
import { announcesBody } from '../header-lines.ts';
import type { ReadRequest, ReceivedRequest } from '../request.ts';
import type { BodyShare } from './body-budget.ts';
import { createBodyCollector } from './body-collector.ts';
import type { Screening } from './screen-body.ts';

export const maxBodyBytes = 262_144;

/**
 * Each chunk costs some microseconds, whatever its size. A body of one-byte chunks would cost half a second. A sender that writes
 * each entry of a batch as one chunk stays below this bound.
 */
export const maxChunks = (bytes: number): number => 1_024 + bytes / 64;

/** `length` is undefined for a chunked body, because such a body is not read to its end. */
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

/** Refuses a body because of its length, before any byte of it is read. */
export function rejectLargeBody({ headers }: Pick<IncomingMessage, 'headers'>): void {
  const length = headers['content-length'];
  if (length !== undefined && Number(length) > maxBodyBytes) throw tooLarge(Number(length));
}

/**
 * Reads the body. The bytes of a request without a share of the memory for bodies are counted and dropped.
 *
 * - A slow sender holds only its connection, until the request timeout of the server.
 * - `Expect: 100-continue` -> 100 is sent in this step, after the checks of the headers.
 * - The share is used up -> the rest is dropped. `admit` refuses the request, because a larger body and a refused key have
 *   precedence.
 * - Bounds: `maxBodyBytes`, even for a chunked body, and {@link maxChunks}.
 */
export async function readBody(request: ReceivedRequest, screening: Screening): Promise<ReadRequest> {
  const { message, response } = request;
  const { refusal, overload } = screening;
  if (!announcesBody(message)) return Object.assign(request, { bytes: undefined, refusal, overload });
  if (message.headers.expect !== undefined) response.writeContinue();
  const collected = await collect(message, screening.share);
  return Object.assign(request, { bytes: collected.body, refusal, overload: overload ?? collected.refusal });
}

interface Collected {
  body: Buffer;
  refusal: AppError | undefined;
}

function collect(request: IncomingMessage, share: BodyShare | undefined): Promise<Collected> {
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
