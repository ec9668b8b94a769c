import { AppError } from '@shopscope/errors';
import { describe, expect, it } from 'vitest';
import type { AdmissionDecision } from '../../limits/decision.ts';
import type { AuthenticatedRequest } from '../request.ts';
import { admit } from './admit.ts';

/** A request whose decision the test makes, and its preparation, which fails with `error` if there is one. */
function begin({ isFar, error }: { isFar: boolean; error?: Error }) {
  const decision = Promise.withResolvers<AdmissionDecision>();
  const steps: string[] = [];
  const admission = { decide: () => decision.promise, isFarFromLimits: () => isFar };
  const request = {
    caller: { plan: { rpm: 600, concurrency: 20 } },
    message: {},
    response: { closed: false },
  } as unknown as AuthenticatedRequest;
  const ended = admit({ admission }, request, () => {
    steps.push('prepared');
    if (error) throw error;
  }).then(
    () => void steps.push('passed'),
    (failure) => {
      steps.push('failed');
      throw failure;
    },
  );
  const decide = (outcome: AdmissionDecision['outcome']) => {
    decision.resolve({ outcome, remaining: 1, resetSeconds: 1, release: () => {} });
    return ended;
  };
  return { steps, decide };
}

const invalid = new AppError('invalid_request', 'domain: is invalid');

describe('admit', () => {
  it('a request far from its limits is prepared while its admission is decided, and passes afterwards', async () => {
    const { steps, decide } = begin({ isFar: true });
    expect(steps).toEqual(['prepared']);
    await decide('admitted');
    expect(steps).toEqual(['prepared', 'passed']);
  });

  it('a request close to its limits is prepared after its admission only', async () => {
    const { steps, decide } = begin({ isFar: false });
    expect(steps).toEqual([]);
    await decide('admitted');
    expect(steps).toEqual(['prepared', 'passed']);
  });

  it.each([true, false])('a refused request gets the error of its limits first (far from them: %s)', async (isFar) => {
    for (const outcome of ['rate_limited', 'concurrency_limited'] as const) {
      const { steps, decide } = begin({ isFar, error: invalid });
      await expect(decide(outcome)).rejects.toMatchObject({ code: outcome });
      expect(steps).toEqual(isFar ? ['prepared', 'failed'] : ['failed']);
    }
  });

  it('an admitted request gets the error of its preparation', async () => {
    const { steps, decide } = begin({ isFar: true, error: invalid });
    expect(steps).toEqual(['prepared']);
    await expect(decide('admitted')).rejects.toBe(invalid);
    expect(steps).toEqual(['prepared', 'failed']);
  });
});
