import { expect, test } from 'vitest';
import { prefersLines } from './accepted-type.ts';

test.each([
  ['application/x-ndjson', true],
  ['Application/X-NDJSON; charset=utf-8', true],
  ['application/json;q=0.5, application/x-ndjson', true],
  ['application/x-ndjson;q=0.5, application/json', false],
  ['application/x-ndjson;q=0', false],
  ['application/json', false],
  ['*/*', false],
  [undefined, false],
])('a client with the header Accept: %s gets lines: %s', (header, lines) => {
  expect(prefersLines(header)).toBe(lines);
});
