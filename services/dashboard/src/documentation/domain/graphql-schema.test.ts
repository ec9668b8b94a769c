import { readFileSync } from 'node:fs';
import { buildSchema, parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { operationNamesOf } from './graphql-document.ts';
import { graphqlExamplesOf } from './graphql-examples.ts';
import { readSchema } from './graphql-schema.ts';

const text = readFileSync(new URL('../../../../../docs/schema.graphql', import.meta.url), 'utf8');
const { types } = readSchema(text);
const typeOf = (name: string) => types.find((type) => type.name === name);

describe('types of the GraphQL schema', () => {
  it('the types of the schema are all there, the entry point first', () => {
    const names = Object.keys(buildSchema(text).getTypeMap()).filter((name) => /^[A-Z]/.test(name));
    const scalars = ['String', 'Int', 'Float', 'Boolean', 'ID'];
    expect(types.map(({ name }) => name).toSorted()).toEqual(
      names.filter((name) => !scalars.includes(name)).toSorted(),
    );
    expect(types[0]?.name).toBe('Query');
  });

  it('a type of the schema has its fields, their arguments and types, and the fields that use it', () => {
    const stores = typeOf('Query')?.fields.find(({ name }) => name === 'stores');
    expect(stores?.type).toEqual({ before: '[', name: 'EnrichResult', after: '!]!' });
    expect(stores?.arguments.map(({ name, type }) => [name, type.before + type.name + type.after])).toEqual([
      ['domains', '[String!]!'],
    ]);
    expect(typeOf('EnrichResult')?.usedBy).toEqual(['Query.store', 'Query.stores']);
    expect(typeOf('SignalType')?.values.map(({ name }) => name)).toContain('technology_added');
    // The type of an argument has links to the fields that take it.
    expect(typeOf('SignalType')?.usedBy).toContain('Query.history');
  });
});

describe('examples of documents', () => {
  it.each(['live', 'test'] as const)('each example for the %s environment is a valid document', (environment) => {
    const schema = buildSchema(text);
    for (const { id, query } of graphqlExamplesOf(environment)) {
      expect([id, validate(schema, parse(query))]).toEqual([id, []]);
      expect(operationNamesOf(query)).toHaveLength(1);
    }
  });
});
