import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Contract, typesOf } from './types-of-contract.ts';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

test('the committed types of Python are those of the contract', () => {
  const contract: Contract = JSON.parse(read('../../../docs/openapi.json'));
  expect(read('../src/shopscope/types.py')).toBe(typesOf(contract));
});

const typesWith = (schemas: Contract['components']['schemas']) => typesOf({ paths: {}, components: { schemas } });

test('optional members, null, lists and references of the contract have their types in Python', () => {
  const types = typesWith({
    Shop: {
      type: 'object',
      required: ['name', 'owner'],
      properties: {
        name: { type: ['string', 'null'] },
        owner: { anyOf: [{ $ref: '#/components/schemas/Owner' }, { type: 'null' }] },
        prices: { type: 'array', items: { type: 'number' }, description: 'In euros' },
      },
    },
    Owner: { type: 'object', properties: {} },
  });
  expect(types).toContain(`class Shop(TypedDict):
    name: str | None
    owner: Owner | None
    prices: NotRequired[list[float]]
    """In euros"""`);
});

test('an empty type of the contract is a class that Python can read', () => {
  expect(typesWith({ Empty: { type: 'object', properties: {} } })).toContain('class Empty(TypedDict):\n    pass');
});

test('a member with one value in the contract has that value as its type in Python', () => {
  const types = typesWith({
    Test: {
      type: 'object',
      required: ['test'],
      properties: { test: { const: true }, type: { const: 'key.expiring' } },
    },
  });
  expect(types).toContain('test: Literal[True]\n    type: NotRequired[Literal["key.expiring"]]');
});

test('a member that is a keyword of Python keeps its name', () => {
  const types = typesWith({ Change: { type: 'object', required: ['from'], properties: { from: { type: 'string' } } } });
  expect(types).toContain('Change = TypedDict(\n    "Change",\n    {\n        "from": "str",\n    },\n)');
});

test('two types of the contract under one name are refused', () => {
  const inner = { type: 'object', properties: {} };
  const schemas = { ShopOwner: inner, Shop: { type: 'object', properties: { owner: inner } } };
  expect(() => typesWith(schemas)).toThrow('ShopOwner');
});

test('an open set of values of the contract accepts other texts in Python, and a closed one does not', () => {
  const types = typesWith({
    Job: {
      type: 'object',
      required: ['state', 'kind'],
      properties: {
        state: { type: 'string', 'x-extensible-enum': ['queued', 'running'] },
        kind: { type: 'string', enum: ['scan'] },
      },
    },
  });
  expect(types).toContain('JobState = Literal["queued", "running"]');
  expect(types).toContain('    state: JobState | str\n    kind: JobKind');
});

test('a type of the contract that the generator does not know is refused', () => {
  expect(() => typesWith({ Odd: { type: 'bigint' } })).toThrow('bigint');
});

test('a union of the contract comes after its members, because Python evaluates the members when it reads the union', () => {
  const object = { type: 'object', properties: {} };
  const [cat, dog] = ['Cat', 'Dog'].map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const types = typesWith({ Animal: { anyOf: [cat ?? {}, dog ?? {}] }, Cat: object, Dog: object });
  expect(types.indexOf('Animal = Cat | Dog')).toBeGreaterThan(types.indexOf('class Dog('));
});
