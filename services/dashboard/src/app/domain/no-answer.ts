import { AppError } from '@shopscope/errors';

/**
 * The error of a call of the API that was sent once and has no response. Whether it was carried out and billed is unknown, so no page may
 * advise to send it again.
 */
export const noAnswer = (cause: unknown): AppError =>
  new AppError(
    'unavailable',
    'The API did not answer. The log of requests says whether the request was carried out and billed.',
    { cause, internal: 'the gateway gave no response', details: { outcome: 'unknown' } },
  );

/** Whether an error is the one of {@link noAnswer}. */
export const isNoAnswer = (error: unknown): boolean => error instanceof AppError && error.details.outcome === 'unknown';
