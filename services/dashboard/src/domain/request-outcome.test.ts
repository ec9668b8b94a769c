import { errorCodes, httpStatus } from '@shopscope/errors';
import { describe, expect, it } from 'vitest';
import { classOf, explanationOf, outcomeClasses, outcomeOf, outcomesOf } from './request-outcome.ts';

describe('the outcome of a request', () => {
  it('is the error code, ok, or why there was no response', () => {
    expect(outcomeOf(200, '')).toBe('ok');
    expect(outcomeOf(304, '')).toBe('ok');
    expect(outcomeOf(429, 'rate_limited')).toBe('rate_limited');
    expect(outcomeOf(499, '')).toBe('disconnected');
    expect(outcomeOf(0, '')).toBe('withheld');
  });

  it('belongs to exactly one class, the one of its status', () => {
    for (const code of errorCodes) {
      const classes = outcomeClasses.filter((each) => outcomesOf(each).includes(code));
      expect([code, classes]).toEqual([code, [classOf(httpStatus(code))]]);
    }
    expect(outcomesOf(classOf(200))).toEqual(['ok']);
    expect(outcomesOf(classOf(499))).toContain(outcomeOf(499, ''));
    expect(outcomesOf(classOf(0))).toContain(outcomeOf(0, ''));
  });

  it('is explained for everything but a success', () => {
    for (const code of errorCodes) expect(explanationOf(code, httpStatus(code))?.meaning).toMatch(/\w/);
    expect(explanationOf('invalid_request', 413)?.meaning).toBe('The body exceeds 262,144 bytes.');
    expect(explanationOf('withheld', 0)?.meaning).toContain('not certain');
    expect(explanationOf('disconnected', 499)?.meaning).toContain('closed the connection');
    expect(explanationOf('code_of_a_later_release', 400)?.meaning).toMatch(/\w/);
    expect(explanationOf('ok', 200)).toBeUndefined();
  });
});
