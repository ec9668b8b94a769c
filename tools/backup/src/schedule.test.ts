import { expect, it } from 'vitest';
import { nextDumpMs } from './schedule.ts';

const at = (text: string) => Date.parse(`2026-11-${text}Z`);
const timeOfDayMs = 3 * 3_600_000 + 17 * 60_000;
const next = (now: string, lastGood?: string, lastAttempt = lastGood) =>
  new Date(
    nextDumpMs({
      nowMs: at(now),
      timeOfDayMs,
      lastGoodMs: lastGood === undefined ? undefined : at(lastGood),
      lastAttemptMs: lastAttempt === undefined ? undefined : at(lastAttempt),
    }),
  ).toISOString();

it.each([
  ['a first start makes a dump at once', '22T01:00', undefined, undefined, '22T01:00'],
  ['a dump after the daily time lasts until the next one', '22T03:18', '22T03:17', undefined, '23T03:17'],
  ['a dump of yesterday lasts until the daily time', '22T03:16', '21T03:17', undefined, '22T03:17'],
  ['the daily time starts a dump', '22T03:17', '21T03:17', undefined, '22T03:17'],
  ['a missed dump starts at once', '22T09:00', '21T03:17', undefined, '22T09:00'],
  [
    'a dump that somebody made shortly before the daily time does not replace that of the day',
    '22T03:17',
    '22T03:00',
    undefined,
    '22T03:17',
  ],
  ['a failed dump is repeated an hour after its start', '22T03:20', '21T03:17', '22T03:17', '22T04:17'],
  ['a failed dump of the day before delays nothing', '22T03:17', '20T03:17', '22T03:00', '22T03:17'],
  ['a dump of the future, from a wrong clock, replaces none', '22T03:20', '25T03:17', undefined, '22T03:20'],
])('the schedule of dumps: %s', (_title, now, lastGood, lastAttempt, expected) => {
  expect(next(now, lastGood, lastAttempt ?? lastGood)).toBe(new Date(at(expected)).toISOString());
});
