import { expect, it } from 'vitest';
import { lineOfText, sentTimestamp } from './schemas.ts';

it.each([
  ['2026-01-15T12:00:00Z', '2026-01-15T12:00:00Z'],
  ['2026-01-15T12:00:00.123456Z', '2026-01-15T12:00:00.123456Z'],
  // As Python's isoformat writes UTC.
  ['2026-01-15T12:00:00+00:00', '2026-01-15T12:00:00Z'],
  ['2026-01-15T12:00:00.123456+00:00', '2026-01-15T12:00:00.123456Z'],
  // A query string whose + was not encoded.
  ['2026-01-15T12:00:00 00:00', '2026-01-15T12:00:00Z'],
  ['2028-02-29T00:00:00+00:00', '2028-02-29T00:00:00Z'],
])('the time %s of a caller is read as %s', (text, read) => {
  expect(sentTimestamp().parse(text)).toBe(read);
});

it.each([
  ...[
    '2026-01-15T12:00:00+01:00',
    '2026-01-15T12:00:00-00:00',
    '2026-01-15T12:00:00',
    '2026-01-15',
    '2026-01-15 12:00:00Z',
  ],
  ...[
    '2026-02-31T00:00:00+00:00',
    '2026-02-29T00:00:00Z',
    '2026-01-15T24:00:00Z',
    '0000-01-01T00:00:00Z',
    ' 00:00',
    '',
  ],
])('the time %j of a caller is refused with what a time is', (text) => {
  const { error } = sentTimestamp().safeParse(text);
  expect(error?.issues[0]?.message).toBe(
    'must be an ISO 8601 time in UTC such as 2026-01-15T12:00:00.000Z or 2026-01-15T12:00:00+00:00',
  );
});

it('the length of a line of text counts code points, as JSON Schema does', () => {
  const fits = (text: string) => lineOfText(3).safeParse(text).success;
  expect(['🛒🛒🛒', 'abc', '', 'abcd', '🛒🛒🛒🛒'].map(fits)).toEqual([true, true, false, false, false]);
});
