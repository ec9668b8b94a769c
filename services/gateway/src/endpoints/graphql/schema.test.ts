import { readFileSync } from 'node:fs';
import {
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { pageFields } from './page-fields.ts';
import { rootFields } from './root-fields.ts';
import { schema, sdl, withoutMembers } from './schema.ts';

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: string[];
  maximum?: number;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
}
interface Parameter {
  name: string;
  schema: Schema & { items?: Schema };
}
const file = (name: string) => readFileSync(new URL(`../../../../../docs/${name}`, import.meta.url), 'utf8');
const openapi = JSON.parse(file('openapi.json')) as {
  components: { schemas: Record<string, Schema> };
  paths: Record<string, { get: { parameters: Parameter[] } }>;
};
const components = openapi.components.schemas;
const objectType = (name: string) => schema.getType(name) as GraphQLObjectType;

const resolved = (node: Schema): Schema =>
  node.$ref ? resolved(components[node.$ref.split('/').at(-1) as string] as Schema) : node;
const isNull = ({ type }: Schema) => type === 'null';
const isNullable = (node: Schema) => [node.type].flat().includes('null') || node.anyOf?.some(isNull) === true;
const given = (node: Schema): Schema => {
  const inner = resolved(node.anyOf?.find((each) => !isNull(each)) ?? node);
  const type = Array.isArray(inner.type) ? inner.type.find((each) => each !== 'null') : inner.type;
  return type === undefined ? inner : { ...inner, type };
};
const kinds: Record<string, string[]> = {
  number: ['Float'],
  boolean: ['Boolean'],
  string: ['String', 'ID'],
};

/** Asserts that an object of openapi.json and an object type have the same members, of the same kinds. */
function compare(type: GraphQLObjectType, node: Schema, without: readonly string[] = []): void {
  const members = Object.entries(node.properties ?? {}).filter(([name]) => !without.includes(name));
  expect(Object.keys(type.getFields()), type.name).toEqual(members.map(([name]) => name));
  for (const [name, member] of members) {
    const place = `${type.name}.${name}`;
    expect(node.required, place).toContain(name);
    const field = type.getFields()[name]?.type;
    expect(isNonNullType(field), place).toBe(!isNullable(member));
    const shown = given(member);
    const bare = field && getNullableType(field);
    expect(isListType(bare), place).toBe(shown.type === 'array');
    const item = shown.items ? given(shown.items) : shown;
    const named = field && getNamedType(field);
    if (item.properties) compare(named as GraphQLObjectType, item);
    else if (isEnumType(named))
      expect(
        named.getValues().map((value) => value.name),
        place,
      ).toEqual(item.enum);
    else if (item.type === 'integer')
      expect(named?.name, place).toBe((item.maximum ?? Number.POSITIVE_INFINITY) > 2 ** 31 - 1 ? 'Float' : 'Int');
    else expect(kinds[String(item.type)], place).toContain(named?.name);
  }
}

describe('the GraphQL schema', () => {
  it('docs/schema.graphql equals the schema that the contract generates', () => {
    expect(file('schema.graphql')).toBe(sdl);
  });

  it.each(['Store', 'EnrichResult', 'HistorySignal', 'StoreSignal', 'Technology', 'Job', 'Account', 'Usage'])(
    'the type %s has the members of openapi.json, with the same kinds, lists and nulls',
    (name) => {
      compare(objectType(name), components[name] as Schema, withoutMembers[name]);
    },
  );

  it('the connection of history has the members of the page of REST', () => {
    const members = Object.keys(components.History?.properties ?? {}).filter(
      (name) => !['data', 'next_cursor'].includes(name),
    );
    expect(Object.keys(objectType('HistoryConnection').getFields())).toEqual([...members, 'edges', 'pageInfo']);
  });

  it.each([
    ['history', '/v1/stores/{domain}/history'],
    ['signals', '/v1/signals'],
    ['technologies', '/v1/technologies'],
    ['jobs', '/v1/jobs'],
  ] as const)('the arguments of %s are the parameters of GET %s', (name, path) => {
    const parameters = (openapi.paths[path]?.get.parameters ?? []).filter((each) => each.name);
    const replaced: Record<string, string> = { limit: 'first', cursor: 'after' };
    const without: readonly string[] = pageFields[name].without;
    const names = parameters.map((each) => replaced[each.name] ?? each.name).filter((each) => !without.includes(each));
    const args = schema.getQueryType()?.getFields()[name]?.args ?? [];
    expect(args.map((each) => each.name).sort()).toEqual(names.sort());
    for (const { name: argument, type } of args) {
      const node = parameters.find((each) => each.name === argument)?.schema;
      if (!node) continue;
      expect(isListType(getNullableType(type)), argument).toBe(node.type === 'array');
      const values = (node.items ?? node).enum;
      const named = getNamedType(type);
      expect(isEnumType(named) ? named.getValues().map((each) => each.name) : undefined, argument).toEqual(values);
    }
  });

  it('every field of Query reads an operation, and nothing else than Query is an entry', () => {
    expect(Object.keys(schema.getQueryType()?.getFields() ?? {}).sort()).toEqual(Object.keys(rootFields).sort());
    expect([schema.getMutationType(), schema.getSubscriptionType()]).toEqual([undefined, undefined]);
  });

  it('no type is abstract, because the merge of fields relies on it', () => {
    const own = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
    for (const type of own) if ('getFields' in type) expect(isObjectType(type), type.name).toBe(true);
  });
});
