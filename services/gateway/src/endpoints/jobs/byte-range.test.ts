import { expect, it } from 'vitest';
import { rangeOf } from './byte-range.ts';

const part = { bytes: 1_000, tag: '"abc"' };

it.each([
  ['bytes=0-99', { start: 0, end: 100 }],
  ['bytes=990-', { start: 990, end: 1_000 }],
  ['bytes=-10', { start: 990, end: 1_000 }],
  ['bytes=-5000', { start: 0, end: 1_000 }],
  ['bytes=0-5000', { start: 0, end: 1_000 }],
])('the range %s of 1,000 bytes is %j', (range, expected) => {
  expect(rangeOf({ range }, part)).toEqual(expected);
  expect(rangeOf({ range, 'if-range': '"abc"' }, part)).toEqual(expected);
});

it.each(['bytes=1000-', 'bytes=5-4', 'bytes=0-1,5-6', 'bytes=-', 'bytes=-0', 'lines=0-1', 'bytes= 0-1', ''])(
  'the range %j is ignored',
  (range) => {
    expect(rangeOf({ range }, part)).toBeUndefined();
  },
);

it('a range is ignored without the header, and when it is of another content', () => {
  expect(rangeOf({}, part)).toBeUndefined();
  expect(rangeOf({ range: 'bytes=0-1', 'if-range': '"other"' }, part)).toBeUndefined();
});
