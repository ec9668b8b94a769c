import { errorCodes, httpStatus } from '@shopscope/errors';
import { describe, expect, it } from 'vitest';
import { classOf, explanationOf, outcomeClasses, outcomeOf, outcomesOf } from './request-outcome.ts';

describe('outcome of a request', () => {
  it('the outcome of a request is the error code, ok, or why there was no response', () => {
    expect(outcomeOf(200, '')).toBe('ok');
    expect(outcomeOf(304, '')).toBe('ok');
    expect(outcomeOf(429, 'rate_limited')).toBe('rate_limited');
    expect(outcomeOf(499, '')).toBe('disconnected');
    expect(outcomeOf(0, '')).toBe('withheld');
  });

  it('the outcome of a request belongs to exactly one class, the one of its status', () => {
    for (const code of errorCodes) {
      const classes = outcomeClasses.filter((each) => outcomesOf(each).includes(code));
      expect([code, classes]).toEqual([code, [classOf(httpStatus(code))]]);
    }
    expect(outcomesOf(classOf(200))).toEqual(['ok']);
    expect(outcomesOf(classOf(499))).toContain(outcomeOf(499, ''));
    expect(outcomesOf(classOf(0))).toContain(outcomeOf(0, ''));
  });

  it('the outcome of a request is explained unless it is a success', () => {
    const meaning = (outcome: string, status: number) =>
      explanationOf(outcome, { status, mayBeBilled: false })?.meaning;
    for (const code of errorCodes) expect(meaning(code, httpStatus(code))).toMatch(/\w/);
    expect(meaning('invalid_request', 413)).toBe('The body exceeds 262,144 bytes.');
    expect(meaning('disconnected', 499)).toContain('closed the connection');
    expect(meaning('code_of_a_later_release', 400)).toMatch(/\w/);
    expect(meaning('ok', 200)).toBeUndefined();
  });

  it('the outcome without a response is uncertain only for a request that may be billed, never for a free one', () => {
    expect(explanationOf('withheld', { status: 0, mayBeBilled: true })?.meaning).toContain('not certain');
    const free = explanationOf('withheld', { status: 0, mayBeBilled: false });
    expect(free?.meaning).toContain('It billed nothing.');
    expect(JSON.stringify(free)).not.toMatch(/not certain|usage page/);
  });
});
