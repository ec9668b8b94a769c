import { describe, expect, it } from 'vitest';
import { randomCorpus } from '../../test/corpus.ts';
import { vocabulary } from '../../test/vocabulary.ts';
import { documentOf } from './document.ts';
import { indexDefinition } from './index-definition.ts';

const { properties } = indexDefinition({ shards: 1, replicas: 0 }).mappings;

describe('documentOf', () => {
  it('every member of a document is a field of the index, which refuses other ones', () => {
    const fields = new Set(randomCorpus(1, 50).flatMap((facts) => Object.keys(documentOf(facts, vocabulary).document)));
    expect([...fields].toSorted()).toEqual(Object.keys(properties).toSorted());
  });

  it('the id of a document is the domain, and its version the sequence, so late events change nothing', () => {
    for (const facts of randomCorpus(2, 50))
      expect(documentOf(facts, vocabulary)).toMatchObject({ id: facts.domain, version: facts.sequence });
  });

  it('no member of a document has a value twice', () => {
    for (const facts of randomCorpus(3, 100)) {
      for (const value of Object.values(documentOf(facts, vocabulary).document)) {
        if (Array.isArray(value)) expect(new Set<string | number>(value).size).toBe(value.length);
      }
    }
  });
});
