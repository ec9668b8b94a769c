import { type Openapi, resolve, type Schema } from './openapi.ts';

/** A member of a body, a parameter or a header, as the reference shows it. */
export interface Field {
  name: string;
  /** The path from the root of the body, for example `results[].store.domain`. It is unique within the body. */
  path: string;
  /** The type as text, for example `array of string`. */
  type: string;
  isRequired: boolean;
  description: string;
  /** The bounds as text. */
  constraints: string[];
  /** The possible values; empty if any value is possible. */
  values: { value: string; meaning: string }[];
  /** Whether later releases may add values. */
  isOpen: boolean;
  /** The members of the object, or of the objects in the array. */
  fields: Field[];
}

/** The anchor of a member on the page of its operation. `part`: `parameter`, `body`, or the status of a response. */
export const anchorOfField = (part: string, path: string): string =>
  `${part}-${path.replaceAll('[]', '').replaceAll('.', '-')}`;

const extensibleEnum = 'x-extensible-enum';
/** The sentence in which the contract lists an open set of values. The reference lists these values itself. */
const openEnded = /^Open-ended; today one of: [^ ]+(?: [^ ]+)*?\.(?:\s+|$)/;
const meaning = /`([^`]+)`: (.+?)\.(?= `[^`]+`: |\s*$)/g;
/** The maximum depth of nested members. No body is as deep. */
const maxDepth = 12;

/** The members of an object. Of a choice between objects, the members of all of them; one is required if each object requires it. */
export function fieldsOf(document: Openapi, schema: Schema, path = '', depth = 0): Field[] {
  const object = shapeOf(document, schema).schema;
  if (depth > maxDepth) throw new Error(`${path} has members within members without end`);
  const choices = object.properties ? [object] : (object.anyOf ?? []).map((each) => shapeOf(document, each).schema);
  const members = new Map<string, Schema>();
  for (const { properties = {} } of choices) {
    for (const [name, member] of Object.entries(properties)) if (!members.has(name)) members.set(name, member);
  }
  return [...members].map(([name, member]) => {
    const isRequired = choices.every(({ required }) => required?.includes(name));
    return fieldOf(document, { name, schema: member, isRequired, path: path === '' ? name : `${path}.${name}`, depth });
  });
}

export function fieldOf(
  document: Openapi,
  of: { name: string; schema: Schema; isRequired: boolean; description?: string; path?: string; depth?: number },
): Field {
  const { name, isRequired, path = name, depth = 0 } = of;
  const { schema, isNullable } = shapeOf(document, of.schema);
  const items = schema.items && shapeOf(document, schema.items).schema;
  const text = of.description ?? schema.description ?? '';
  const meanings = [...text.matchAll(meaning)].map(([, value = '', words = '']) => ({ value, meaning: words }));
  const open = schema[extensibleEnum] ?? items?.[extensibleEnum];
  const listed = (open ?? schema.enum ?? items?.enum ?? []).map((value) => ({ value: String(value), meaning: '' }));
  return {
    name,
    path,
    isRequired,
    type: typeOf(document, schema) + (isNullable ? ' or null' : ''),
    description: (meanings.length > 0 ? text.replace(meaning, '') : text).replace(openEnded, '').trim(),
    constraints: [...constraintsOf(schema), ...(items ? constraintsOf(items).map((words) => `each ${words}`) : [])],
    values: meanings.length > 0 ? meanings : listed,
    isOpen: open !== undefined,
    fields: items
      ? fieldsOf(document, items, `${path}[]`, depth + 1)
      : schema.properties || schema.anyOf
        ? fieldsOf(document, schema, path, depth + 1)
        : [],
  };
}

/** Resolves references, and a choice between a schema and null. */
function shapeOf(document: Openapi, of: Schema): { schema: Schema; isNullable: boolean } {
  const schema = resolve<Schema>(document, of);
  const types = [schema.type ?? []].flat();
  const choices = schema.anyOf ?? [];
  const others = choices.filter(({ type }) => type !== 'null');
  const [only] = others;
  if (only && others.length === 1) {
    const { anyOf: _, ...own } = schema;
    return { schema: { ...resolve<Schema>(document, only), ...own }, isNullable: choices.length > 1 };
  }
  const [type] = types.filter((name) => name !== 'null');
  return types.length > 1 && type !== undefined
    ? { schema: { ...schema, type }, isNullable: true }
    : { schema, isNullable: false };
}

function typeOf(document: Openapi, schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.format === 'date-time') return 'timestamp';
  if (schema.format === 'uri') return 'URL';
  if (schema.items) {
    const { schema: items, isNullable } = shapeOf(document, schema.items);
    return `array of ${typeOf(document, items)}${isNullable ? ' or null' : ''}`;
  }
  if (schema.anyOf)
    return schema.anyOf.map((choice) => typeOf(document, shapeOf(document, choice).schema)).join(' or ');
  if (typeof schema.additionalProperties === 'object' && !schema.properties) {
    const { type } = schema.additionalProperties;
    return typeof type === 'string' ? `object with members of type ${type}` : 'object with any members';
  }
  return [schema.type ?? 'any value'].flat().join(' or ');
}

/** The prefix of an id, as the pattern of the id has it. */
const prefix = /^\^([a-z]+_)$/;

function constraintsOf(schema: Schema): string[] {
  const { minLength, maxLength, minItems, maxItems, minimum, maximum, pattern, format } = schema;
  const isBounded = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  const begin = pattern && prefix.exec(pattern)?.[1];
  return [
    range(minLength, maxLength, 'characters'),
    range(minItems, maxItems, 'entries'),
    range(minimum === 0 && !isBounded ? undefined : minimum, isBounded ? maximum : undefined, ''),
    ...(begin ? [`begins with ${begin}`] : pattern && format === undefined ? [`matches ${pattern}`] : []),
    ...(schema.default === undefined ? [] : [`default ${String(schema.default)}`]),
    ...(schema.additionalProperties === false ? ['no other members'] : []),
  ].filter((words) => words !== '');
}

function range(low: number | undefined, high: number | undefined, unit: string): string {
  const words = (text: string) => `${text} ${unit}`.trim();
  const shown = (value: number) => value.toLocaleString('en');
  if (low !== undefined && high !== undefined) {
    return words(low === high ? shown(low) : `${shown(low)} to ${shown(high)}`);
  }
  if (high !== undefined) return words(`at most ${shown(high)}`);
  return low === undefined || low === 0 ? '' : words(`at least ${shown(low)}`);
}
