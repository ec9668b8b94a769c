import { invalidField } from '@shopscope/errors';
import { z } from 'zod';
import { queryDocumentation } from '../../contract/schemas.ts';
import { described, type JsonSchema, type TypeDefinitions } from './type-definitions.ts';

/**
 * The arguments of a field that reads pages. They are the query parameters of the REST operation. `first` replaces `limit`, `after` replaces
 * `cursor`, and a list of values is a list.
 */
export interface PageField {
  query: z.ZodObject;
  /** The names of the enums of parameters with closed values. */
  enums: Readonly<Record<string, string>>;
  /** Parameters that the field does not have. */
  without: readonly string[];
  /** Descriptions that differ from those of the parameters. */
  texts?: Readonly<Record<string, string>>;
}

const replaced = ['cursor', 'limit'];

/** The parameters that the field has as arguments, beside `first` and `after`. */
export const parametersOf = ({ query, without }: PageField): [string, z.ZodType][] =>
  Object.entries(query.shape as Record<string, z.ZodType>).filter(
    ([name]) => !replaced.includes(name) && !without.includes(name),
  );

export function argumentDefinitions(types: TypeDefinitions, field: PageField): string {
  const own = parametersOf(field).map(([name, schema]) => {
    const { description, ...json } = jsonSchemaOf(schema);
    const isList = json.type === 'array';
    const item = isList ? (json.items as JsonSchema) : json;
    const enumName = field.enums[name];
    const type = item.enum ? types.enumOf(enumName ?? '', item.enum) : types.typeOf(item, name).name;
    return `${described(field.texts?.[name] ?? description, '    ')}    ${name}: ${isList ? `[${type}!]` : type}\n`;
  });
  const first = `${described('Rows of the page, 1 to 200', '    ')}    first: Int!\n`;
  const after = `${described('The cursor of the row or the page before', '    ')}    after: String\n`;
  return `${first}${after}${own.join('')}`;
}

/** The part of a description that is about a query string. */
const ofText = '. One value or several, separated by commas';

function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const documented = queryDocumentation.get(schema);
  if (documented) return { ...documented, description: documented.description?.replace(ofText, '') } as JsonSchema;
  return z.toJSONSchema(schema, { target: 'draft-2020-12', io: 'input', unrepresentable: 'any' }) as JsonSchema;
}

/** Returns the arguments as the text of a query string has them. The REST operation then validates them. */
export function queryTextsOf(args: Readonly<Record<string, unknown>>): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(args)) {
    if (value === null || value === undefined) continue;
    const parameter = name === 'first' ? 'limit' : name === 'after' ? 'cursor' : name;
    texts[parameter] = Array.isArray(value) ? listText(name, value.map(String)) : String(value);
  }
  return texts;
}

/** A query string separates values by commas, and no value has one. */
function listText(name: string, values: readonly string[]): string {
  // REST refuses a parameter without a value, too. An empty list would otherwise be no filter.
  if (values.length === 0) throw invalidField(name, 'must have a value');
  const index = values.findIndex((value) => value.includes(','));
  if (index >= 0) throw invalidField(`${name}[${index}]`, 'must be one value without a comma');
  return values.join(',');
}
