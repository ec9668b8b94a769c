import { SchemaOlderError } from '@shopscope/errors';
import { TopicsDifferError } from '@shopscope/kafka';
import { expect, it } from 'vitest';
import { exitCodeOf } from './run-migration.ts';

const differ = (setting: 'topic' | 'partitions') =>
  new TopicsDifferError([{ topic: 'notes', setting, found: undefined, needed: '3' }]);

it.each([
  ['78 after an index with other options', new SchemaOlderError('index name_1 has other options', 'drop it'), 78],
  ['78 after a topic with other settings', differ('partitions'), 78],
  ['1 after a topic that is not visible yet, because a repetition may find it', differ('topic'), 1],
  ['1 after a server that does not answer', new Error('no broker'), 1],
])('a migration ends with exit code %s', (_, error, code) => {
  expect(exitCodeOf(error)).toBe(code);
});
