import { topics } from '@shopscope/proto';
import { describe, expect, it } from 'vitest';
import { columns, rightsOf } from '../../test/kafka-rights.ts';
import { migrator } from '../mongodb.ts';
import { kafkaGrants } from './grants.ts';
import { replayer, services } from './table.ts';

const letters: Readonly<Record<string, string>> = { read: 'r', write: 'w', create: 'c' };
const ofTopics = kafkaGrants({ prefix: '' }).filter(({ resource }) => resource === 'topic');

describe('rights on topics', () => {
  it('the table of rights on topics has every topic with its dead-letter topic', () => {
    expect(columns).toEqual(topics.flatMap(({ topic }) => [topic, `${topic}.dlq`]));
  });

  it.each([...services, replayer, migrator])('%s gets the grants of its row on topics, and no other', (principal) => {
    const own = ofTopics.filter((grant) => grant.principal === principal);
    const found = columns.map((topic) => {
      const granted = own.filter(({ name }) => name === topic).flatMap(({ operations }) => operations);
      const given = Object.keys(letters).filter((operation) => granted.some((each) => each === operation));
      return given.map((operation) => letters[operation]).join('') || '-';
    });
    expect(found).toEqual(rightsOf(principal));
    expect(own.filter(({ name, match }) => match !== 'literal' || !columns.includes(name))).toEqual([]);
  });
});
