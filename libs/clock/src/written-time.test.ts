import { describe, expect, it } from 'vitest';
import { parseDay, parseInstant } from './index.ts';

const noDays = [
  '2027-02-31',
  '2027-13-01',
  '2027-00-10',
  '2027-01-00',
  '2027-04-31',
  '2026-02-29',
  '1900-02-29',
  '0000-01-01',
];

describe('a written day', () => {
  it.each(['2027-03-01', '2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31'])(
    'a written day of the calendar is read: %s',
    (text) => {
      expect(new Date(parseDay(text) ?? Number.NaN).toISOString()).toBe(`${text}T00:00:00.000Z`);
    },
  );

  it.each([
    ...noDays,
    '',
    '2027-3-1',
    '2027-03-01T00:00Z',
    '+002027-03-01',
    ' 2027-03-01',
    '2027-03-01\n',
    '20270301',
    '2027-03',
  ])('a written day that the calendar lacks, or in another form, is not a day: %j', (text) => {
    expect(parseDay(text)).toBeUndefined();
  });
});

describe('a written instant', () => {
  it.each(['2027-03-01T12:00Z', '2027-03-01T23:59:59.123Z', '2024-02-29T00:00:00+00:00', '2027-03-01T12:00:00-05:30'])(
    'a written instant is read: %s',
    (text) => {
      expect(parseInstant(text)).toBe(Date.parse(text));
    },
  );

  it.each([
    ...noDays.map((text) => `${text}T00:00:00Z`),
    ...[
      '2027-03-01T24:00:00Z',
      '2027-03-01T24:00Z',
      '2027-03-01T12:60Z',
      '2027-03-01T12:00:60Z',
      '2027-03-01T12:00:00+25:00',
    ],
    ...['2027-03-01', '2027-03-01T12:00', '2027-03-01 12:00Z', '2027-03-01T12Z', ''],
  ])(
    'a written instant on a day or at a time that does not exist, or without a zone, is not an instant: %j',
    (text) => {
      expect(parseInstant(text)).toBeUndefined();
    },
  );
});
