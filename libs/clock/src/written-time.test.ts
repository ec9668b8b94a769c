import { describe, expect, it } from 'vitest';
import { parseDay, parseInstant } from './index.ts';

const invalidDays = [
  '2027-02-31',
  '2027-13-01',
  '2027-00-10',
  '2027-01-00',
  '2027-04-31',
  '2026-02-29',
  '1900-02-29',
  '0000-01-01',
];

describe('the text of a day', () => {
  it.each(['2027-03-01', '2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31'])(
    'the text of a day of the calendar is parsed: %s',
    (text) => {
      expect(new Date(parseDay(text) ?? Number.NaN).toISOString()).toBe(`${text}T00:00:00.000Z`);
    },
  );

  it.each([
    ...invalidDays,
    '',
    '2027-3-1',
    '2027-03-01T00:00Z',
    '+002027-03-01',
    ' 2027-03-01',
    '2027-03-01\n',
    '20270301',
    '2027-03',
  ])('the text of a day is rejected if the calendar lacks the day or the text has another form: %j', (text) => {
    expect(parseDay(text)).toBeUndefined();
  });
});

describe('the text of an instant', () => {
  it.each(['2027-03-01T12:00Z', '2027-03-01T23:59:59.123Z', '2024-02-29T00:00:00+00:00', '2027-03-01T12:00:00-05:30'])(
    'the text of an instant is parsed: %s',
    (text) => {
      expect(parseInstant(text)).toBe(Date.parse(text));
    },
  );

  it.each([
    ...invalidDays.map((text) => `${text}T00:00:00Z`),
    ...[
      '2027-03-01T24:00:00Z',
      '2027-03-01T24:00Z',
      '2027-03-01T12:60Z',
      '2027-03-01T12:00:60Z',
      '2027-03-01T12:00:00+25:00',
    ],
    ...['2027-03-01', '2027-03-01T12:00', '2027-03-01 12:00Z', '2027-03-01T12Z', ''],
  ])('the text of an instant is rejected if its day or time does not exist or it has no zone: %j', (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });
});
