import { describe, expect, it } from 'vitest';
import { inputOf } from './input.ts';

const read = (value: string) => inputOf({ option: value }, 'operator:me');

describe('option', () => {
  it.each(['2027-03-01', '2027-03-01T12:00Z', '2027-03-01T12:00:00.5+02:00', '2028-02-29'])(
    'an option that is an instant is read as ISO 8601: %s',
    (text) => {
      expect(read(text).instant('option')).toBe(Date.parse(text));
    },
  );

  it.each([
    ...['tomorrow', '1', '03/01/2027', '2027-03-01T12:00', '2027-03-01T24:00Z', '2027-02-31', '2027-13-01'],
    ...['2026-02-29', '2026-02-29T12:00:00Z', '0000-03-01'],
  ])('an option with an invalid instant is refused by name: %s', (text) => {
    expect(() => read(text).instant('option')).toThrow(/^--option must be an ISO 8601 instant/);
  });

  it('an option with a month has its first instant in UTC as value', () => {
    expect(read('2027-03').month('option')).toBe(Date.UTC(2027, 2, 1));
    for (const text of ['2027-13', '2027-00', '0000-01', '2027-3', '2027-03-01', 'march']) {
      expect(() => read(text).month('option')).toThrow(/^--option must be a month as YYYY-MM/);
    }
  });

  it('an option with a count accepts only whole numbers', () => {
    expect([read('0').count('option'), read('12').count('option')]).toEqual([0, 12]);
    for (const text of ['-1', '1.5', '1e3', 'many', '12345678901234']) {
      expect(() => read(text).count('option')).toThrow(/^--option must be a whole number/);
    }
  });

  it('an option with a list omits empty entries', () => {
    expect(read('a, b,,c').list('option')).toEqual(['a', 'b', 'c']);
    expect(inputOf({}).list('option')).toEqual([]);
  });

  it('the option for the actor defaults to the user of the machine', () => {
    expect(inputOf({ actor: 'usr_1' }, 'operator:me').actor).toBe('usr_1');
    expect(inputOf({}, 'operator:me').actor).toBe('operator:me');
    expect(inputOf({}).actor).toMatch(/^operator:.+/);
  });
});
