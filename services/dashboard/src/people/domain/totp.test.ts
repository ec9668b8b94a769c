import { expect, it } from 'vitest';
import { matchingStep, totpCode } from './totp.ts';

const secret = '12345678901234567890';

it.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_234_567_890, '005924'],
  [20_000_000_000, '353130'],
])('totpCode makes the code of RFC 6238 at %i s', (seconds, code) => {
  expect(totpCode(secret, Math.floor(seconds / 30))).toBe(code);
  expect(matchingStep(secret, code, seconds * 1_000)).toBe(Math.floor(seconds / 30));
});

it('matchingStep accepts the codes of one step before and after, and no other text', () => {
  const step = 1_000;
  const nowMs = step * 30_000;
  const steps = [-2, -1, 0, 1, 2].map((away) => matchingStep(secret, totpCode(secret, step + away), nowMs));
  expect(steps).toEqual([undefined, step - 1, step, step + 1, undefined]);
  expect(['', '12345', '1234567', 'abcdef', '12 456'].map((code) => matchingStep(secret, code, nowMs))).toEqual(
    Array(5).fill(undefined),
  );
});
