import { expect, it } from 'vitest';
import { errorLine } from './error-line.ts';

it('errorLine joins the first five distinct messages of an error and its causes', () => {
  const refused = new Error('connect ECONNREFUSED 127.0.0.1:9092');
  expect(errorLine(new Error('There is no broker.', { cause: refused }))).toBe(
    'There is no broker: connect ECONNREFUSED 127.0.0.1:9092',
  );
  expect(errorLine(new Error('Connection error: connect ECONNREFUSED 127.0.0.1:9092', { cause: refused }))).toBe(
    'Connection error: connect ECONNREFUSED 127.0.0.1:9092',
  );
  const circular = new Error('again');
  circular.cause = new Error('and once more', { cause: circular });
  expect(errorLine(circular).split(': ')).toHaveLength(5);
  expect(errorLine('no error at all')).toBe('no error at all');
});
