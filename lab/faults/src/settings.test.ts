import { expect, it } from 'vitest';
import { faultSettings } from './settings.ts';

it('a call of the bench without --minutes is not bounded, and --minutes takes a number above 0', () => {
  const minutesOf = (...argv: string[]) => faultSettings({}, argv).minutes;
  expect(minutesOf()).toBe(Number.POSITIVE_INFINITY);
  expect(minutesOf('--minutes', '90', '--only', 'mongo-stepdown', '--seeds', '2')).toBe(90);
  for (const text of ['0', 'soon', '']) expect(() => minutesOf('--minutes', text)).toThrow('--minutes takes');
});
