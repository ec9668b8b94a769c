import { expect, it } from 'vitest';
import { errorMessages } from './error-messages.ts';

it('errorMessages joins the first five distinct messages of an error and its causes', () => {
  const refused = new Error('connect ECONNREFUSED 127.0.0.1:9092');
  expect(errorMessages(new Error('There is no broker.', { cause: refused }))).toBe(
    'There is no broker: connect ECONNREFUSED 127.0.0.1:9092',
  );
  expect(errorMessages(new Error('Connection error: connect ECONNREFUSED 127.0.0.1:9092', { cause: refused }))).toBe(
    'Connection error: connect ECONNREFUSED 127.0.0.1:9092',
  );
  const circular = new Error('again');
  circular.cause = new Error('and once more', { cause: circular });
  expect(errorMessages(circular).split(': ')).toHaveLength(5);
  expect(errorMessages('no error at all')).toBe('no error at all');
});
