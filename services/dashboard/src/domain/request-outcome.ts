import { type ErrorExplanation, errorCodes, errorExplanations, httpStatus, isErrorCode } from '@shopscope/errors';

/**
 * How a request of the API ended: `ok`, the code of its error, or why no response reached the caller.
 *
 * - `disconnected`: the caller closed the connection before the response.
 * - `withheld`: the gateway closed the connection, because it was not certain whether the request was billed.
 */
export type Outcome = string;

/** Classes of outcomes, which people filter by. The codes are those of the contract. */
export const outcomeClasses = ['succeeded', 'refused', 'failed', 'no_response'] as const;
export type OutcomeClass = (typeof outcomeClasses)[number];

const withheldStatus = 0;
const disconnectedStatus = 499;

export function outcomeOf(status: number, errorCode: string): Outcome {
  if (status === withheldStatus) return 'withheld';
  if (status === disconnectedStatus) return 'disconnected';
  return errorCode || (status < 400 ? 'ok' : 'unknown');
}

export function classOf(status: number): OutcomeClass {
  if (status === withheldStatus || status === disconnectedStatus) return 'no_response';
  if (status >= 500) return 'failed';
  return status >= 400 ? 'refused' : 'succeeded';
}

/** The outcomes of a class, so that a filter by class and one by code use the same index. */
export function outcomesOf(outcomeClass: OutcomeClass): Outcome[] {
  if (outcomeClass === 'succeeded') return ['ok'];
  if (outcomeClass === 'no_response') return ['disconnected', 'withheld'];
  return errorCodes.filter((code) => classOf(httpStatus(code)) === outcomeClass);
}

/** The contract's explanation of an error, in plain words for the requests without a response; undefined for a success. */
export function explanationOf(outcome: Outcome, status: number): ErrorExplanation | undefined {
  if (outcome === 'ok') return undefined;
  if (status === 413) return errorExplanations.body_too_large;
  if (isErrorCode(outcome)) return errorExplanations[outcome];
  return (
    ownExplanations[outcome] ?? { meaning: 'The response was an error.', action: 'Retry once after a few seconds.' }
  );
}

const ownExplanations: Readonly<Record<string, ErrorExplanation>> = {
  disconnected: {
    meaning: 'The caller closed the connection before the response was sent.',
    action: 'Raise the time limit of the caller above 10 seconds, which is the limit of the service.',
  },
  withheld: {
    meaning:
      'The connection was closed without a response, because it was not certain whether the request was billed. ' +
      'A response with an error would have stated that nothing was billed.',
    action:
      'The usage page shows what was billed. A request with an Idempotency-Key is billed once when it is sent again with it.',
  },
};
