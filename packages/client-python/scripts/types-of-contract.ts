/** The parts of JSON Schema that docs/openapi.json uses. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  enum?: string[];
  /** The current values of an open set. */
  'x-extensible-enum'?: string[];
  const?: string | boolean;
  anyOf?: Schema[];
}

interface Parameter {
  $ref?: string;
  name?: string;
  in?: string;
  description?: string;
  required?: boolean;
  schema?: Schema;
}

export interface Contract {
  paths: Record<string, Record<string, { operationId: string; parameters?: Parameter[] }>>;
  components: { schemas: Record<string, Schema> };
}

/** Names of types inside other types, where the rule (name of the parent, name of the member) reads badly. */
const givenNames: Record<string, string> = {
  EnrichJobResultMatch: 'EnrichResultMatch',
  ErrorError: 'ErrorDetail',
  ErrorDetailCode: 'ErrorCode',
  ErrorDetailUnit: 'BillingUnit',
  AccountKeyEnvironment: 'Environment',
  AccountKeyScopesItem: 'Scope',
  DeliveryEventType: 'EventTypeName',
  GetStoreHistoryQueryType: 'SignalType',
  SearchSignalsQueryConfidence: 'Confidence',
  StoresAddStoresItem: 'StoreToAdd',
  StoresAddedResultsItem: 'StoreAdded',
  StoresRemovedResultsItem: 'StoreRemoved',
  UsageByKeyItem: 'UsageOfKey',
};
const named = (name: string) => givenNames[name] ?? name;

const header = `"""Types of the API. Generated from docs/openapi.json: npm run generate --workspace @shopscope/client-python"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from ._compat import NotRequired, TypedDict
`;
const keywords = new Set(['from', 'import', 'class', 'global', 'in', 'is', 'not', 'or', 'and', 'pass', 'def', 'with']);
const lineWidth = 120;
const indent = '    ';

/**
 * The source of the Python module with the types of the contract.
 *
 * - Each schema is a TypedDict. A schema inside it is one too, under the name of its parent and its member.
 * - Each set of values is a Literal, under the name of the first type that has these values. An open set also accepts any other text.
 * - Each operation with query parameters has a TypedDict of them. A list takes one value, too. A parameter that is a keyword of Python ends with `_`.
 * - An object with further members of any name is a dict.
 */
export function typesOf({ paths, components }: Contract): string {
  const definitions = new Map<string, string>();
  const namesOfValues = new Map<string, string>();

  function define(name: string, text: () => string): string {
    if (definitions.has(name)) throw new Error(`two types have the name ${name}: give one of them another name`);
    // A parent comes before its members: the order of a map is that of the first call of set.
    definitions.set(name, '');
    definitions.set(name, text());
    return name;
  }

  function typeOf(schema: Schema, name: string): string {
    if (schema.$ref) return schema.$ref.split('/').at(-1) as string;
    if (schema.anyOf) return [...new Set(schema.anyOf.map((each) => typeOf(each, name)))].join(' | ');
    if (schema.const !== undefined) return `Literal[${pythonOf(schema.const)}]`;
    if (schema.enum) return typeOfValues(schema.enum, name);
    const open = schema['x-extensible-enum'];
    if (open) return `${typeOfValues(open, name)} | str`;
    if (schema.type === 'array') return `list[${schema.items ? typeOf(schema.items, named(`${name}Item`)) : 'Any'}]`;
    if (schema.type === 'object') return typeOfObject(schema, name);
    return schema.type === undefined ? 'Any' : [schema.type].flat().map(simpleType).join(' | ');
  }

  /** A parameter that takes several values also takes one. */
  function typeOfParameter(schema: Schema, name: string): string {
    if (schema.type !== 'array' || !schema.items) return typeOf(schema, name);
    const value = typeOf(schema.items, name);
    return `${value} | Sequence[${value}]`;
  }

  function typeOfValues(values: readonly string[], name: string): string {
    const key = values.join();
    const known = namesOfValues.get(key);
    if (known) return known;
    namesOfValues.set(key, name);
    return define(name, () => literal(name, values));
  }

  function typeOfObject(schema: Schema, name: string): string {
    const { additionalProperties: further } = schema;
    if (schema.properties && !further) return define(name, () => typedDict(name, schema));
    const isTyped = typeof further === 'object' && Object.keys(further).length > 0 && !schema.properties;
    return `dict[str, ${isTyped ? typeOf(further, `${name}Value`) : 'Any'}]`;
  }

  function typedDict(name: string, { description, properties = {}, required = [] }: Schema): string {
    const members = Object.entries(properties).map(([member, schema]) => {
      const type = typeOf(schema, named(name + pascal(member)));
      const described = schema.description ?? schema.anyOf?.find((each) => each.description)?.description;
      return { member, type: required.includes(member) ? type : `NotRequired[${type}]`, described };
    });
    if (!members.some(({ member }) => keywords.has(member))) return classOf(name, description, members);
    const lines = members.map(({ member, type }) => `${indent}${indent}${JSON.stringify(member)}: "${type}",`);
    return [`${name} = TypedDict(`, `${indent}"${name}",`, `${indent}{`, ...lines, `${indent}},`, ')'].join('\n');
  }

  for (const [name, schema] of Object.entries(components.schemas)) {
    const type = typeOf(schema, name);
    if (type !== name) define(name, () => `${name} = ${type}`);
  }
  for (const { operationId, parameters = [] } of Object.values(paths).flatMap((item) => Object.values(item))) {
    const query = parameters.filter((parameter) => parameter.in === 'query');
    if (query.length === 0) continue;
    const name = `${pascal(operationId)}Query`;
    define(name, () => {
      const members = query.map(({ name: parameter = '', description, schema = {} }) => ({
        member: keywords.has(parameter) ? `${parameter}_` : parameter,
        type: typeOfParameter(schema, named(name + pascal(parameter))),
        described: description ?? schema.description,
      }));
      return classOf(name, undefined, members, ', total=False');
    });
  }
  // Python evaluates the values of a Literal and the members of a union when it loads the module. Only type checkers
  // read the other names. Literals therefore come first, and unions last.
  const placeOf = (text: string) => (/^\w+ = (Literal|dict)/.test(text) ? 0 : /^\w+ = \w+ \|/.test(text) ? 2 : 1);
  const texts = [...definitions.values()].toSorted((a, b) => placeOf(a) - placeOf(b));
  return `${[header, ...texts].join('\n\n\n')}\n`;
}

interface Member {
  member: string;
  type: string;
  described?: string | undefined;
}

function classOf(name: string, description: string | undefined, members: readonly Member[], options = ''): string {
  const lines = [`class ${name}(TypedDict${options}):`];
  if (description) lines.push(...documentation(description), '');
  for (const { member, type, described } of members) {
    lines.push(`${indent}${member}: ${type}`);
    if (described) lines.push(...documentation(described));
  }
  if (lines.length === 1) lines.push(`${indent}pass`);
  return lines.join('\n');
}

function literal(name: string, values: readonly string[]): string {
  const quoted = values.map((value) => JSON.stringify(value));
  const line = `${name} = Literal[${quoted.join(', ')}]`;
  if (line.length <= lineWidth) return line;
  return [`${name} = Literal[`, ...quoted.map((value) => `${indent}${value},`), ']'].join('\n');
}

function documentation(text: string): string[] {
  const words = text.replaceAll('\\', '\\\\').replaceAll('"""', "'''").split(/\s+/);
  const lines = [`${indent}"""${words.shift()}`];
  for (const word of words) {
    const last = lines.length - 1;
    if (`${lines[last]} ${word}"""`.length <= lineWidth) lines[last] += ` ${word}`;
    else lines.push(indent + word);
  }
  lines[lines.length - 1] += '"""';
  return lines;
}

function simpleType(type: string): string {
  const known = { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' }[type];
  if (!known) throw new Error(`the contract has the type ${type}, which this script does not know`);
  return known;
}

const pythonOf = (value: string | boolean) =>
  typeof value === 'string' ? JSON.stringify(value) : value ? 'True' : 'False';

const pascal = (name: string) => name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
