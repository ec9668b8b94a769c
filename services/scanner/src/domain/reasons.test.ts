import { pageFailureCodes } from '@shopscope/fingerprint';
import { isJobErrorCode, isNotTheStore } from '@shopscope/proto';
import { describe, expect, it } from 'vitest';
import { pageReasons, refusedReasons, undecidedReasons, unreachableReasons, VisitFailure } from './reasons.ts';

describe('reasons of failed visits', () => {
  const all = [...unreachableReasons, ...refusedReasons, ...pageReasons];

  it.each(all)('%s is a code of failed jobs', (reason) => {
    expect(isJobErrorCode(reason)).toBe(true);
    expect(isNotTheStore(reason)).toBe(pageReasons.some((code) => code === reason));
  });

  it('every code with which the gate fails a page is among the reasons of failed visits, and each reason is of one kind', () => {
    expect(pageFailureCodes.filter((code) => !all.some((reason) => reason === code))).toEqual([]);
    const reasons = [...all, ...undecidedReasons];
    expect(new Set(reasons).size).toBe(reasons.length);
  });

  it('reasons of a page are neither refusals nor undecided', () => {
    for (const reason of pageReasons) {
      expect(new VisitFailure(reason, '')).toMatchObject({ isNotTheStore: true, refused: false, undecided: false });
    }
  });
});
