import { expect, it } from 'vitest';
import { messagesOf } from './messages-of.ts';

it('messagesOf joins the first five distinct messages of an error and its causes', () => {
  const refused = new Error('connect ECONNREFUSED 127.0.0.1:9092');
  expect(messagesOf(new Error('There is no broker.', { cause: refused }))).toBe(
    'There is no broker: connect ECONNREFUSED 127.0.0.1:9092',
  );
  expect(messagesOf(new Error('Connection error: connect ECONNREFUSED 127.0.0.1:9092', { cause: refused }))).toBe(
    'Connection error: connect ECONNREFUSED 127.0.0.1:9092',
  );
  const circular = new Error('again');
  circular.cause = new Error('and once more', { cause: circular });
  expect(messagesOf(circular).split(': ')).toHaveLength(5);
  expect(messagesOf('no error at all')).toBe('no error at all');
});
