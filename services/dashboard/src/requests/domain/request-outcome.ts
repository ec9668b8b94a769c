import { type ErrorExplanation, errorCodes, errorExplanations, httpStatus, isErrorCode } from '@shopscope/errors';
import { ownValue } from '../../app/domain/own-value.ts';

/**
 * How a request of the API ended: `ok`, the code of its error, or the reason why no response reached the caller.
 *
 * - `disconnected`: the caller closed the connection before the response.
 * - `withheld`: the gateway closed the connection, because it was not certain whether the request was billed, or because a request that is
 *   not billed took too long.
 */
export type Outcome = string;

/** Classes of outcomes for filters. The codes are those of the contract. */
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

/** The outcomes of a class. A filter by class and one by code therefore use the same index. */
export function outcomesOf(outcomeClass: OutcomeClass): Outcome[] {
  if (outcomeClass === 'succeeded') return ['ok'];
  if (outcomeClass === 'no_response') return ['disconnected', 'withheld'];
  return errorCodes.filter((code) => classOf(httpStatus(code)) === outcomeClass);
}

/**
 * The explanation of an error in the contract, or a text for a request without a response. Undefined for a success. `mayBeBilled`: whether
 * the gateway has reported units of the request.
 */
export function explanationOf(
  outcome: Outcome,
  { status, mayBeBilled }: { status: number; mayBeBilled: boolean },
): ErrorExplanation | undefined {
  if (outcome === 'ok') return undefined;
  if (outcome === 'withheld' && !mayBeBilled) return tookTooLong;
  if (status === 413) return errorExplanations.body_too_large;
  if (isErrorCode(outcome)) return errorExplanations[outcome];
  return (
    ownValue(ownExplanations, outcome) ?? {
      meaning: 'The response was an error.',
      action: 'Retry once after a few seconds.',
    }
  );
}

const tookTooLong: ErrorExplanation = {
  meaning: 'The connection was closed without a response, because the request took too long. It billed nothing.',
  action: 'Retry once after a few seconds.',
};

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
