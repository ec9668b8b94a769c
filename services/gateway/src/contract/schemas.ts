import { sentTime } from '@shopscope/store-search';
import { z } from 'zod';
import { meaningsText } from './meanings.ts';

/**
 * Building blocks of the public contract.
 *
 * - A named schema becomes a component of openapi.json. Other schemas are written inline.
 * - Schemas of requests are strict: an unknown member is an error of the caller, and the message names it.
 * - Schemas of responses are not strict: later releases may add members, and callers must ignore unknown ones.
 */
export const namedSchemas = z.registry<{ id: string }>();

/** Makes `schema` the component `id` of openapi.json. */
export function named<Schema extends z.ZodType>(id: string, schema: Schema, description?: string): Schema {
  namedSchemas.add(schema, { id });
  if (description) z.globalRegistry.add(schema, { description });
  return schema;
}

/** ISO 8601 UTC, e.g. 2026-01-15T12:00:00.000Z. */
export const timestamp = () => z.iso.datetime().describe('ISO 8601, UTC');

/** A {@link timestamp} that a caller sends, with Z or +00:00. Handlers get it with Z. */
export const sentTimestamp = () => sentTime('ISO 8601, UTC');

export const count = () => z.int().min(0);

/** A count that fits in 32 bits, as an Int of GraphQL does. */
export const smallCount = () => count().max(2 ** 31 - 1);

/** An opaque identifier with the prefix of its type. */
export const idWith = (prefix: string) =>
  z
    .string()
    .regex(new RegExp(`^${prefix}_`))
    .describe(`Opaque, prefix ${prefix}_`);

/** A line of text that a caller chooses. The length counts Unicode code points, as in JSON Schema. */
export const lineOfText = (maxLength: number) =>
  z
    .string()
    .min(1)
    .check(({ value, issues }) => {
      if ([...value].length <= maxLength) return;
      issues.push({ code: 'too_big', origin: 'string', maximum: maxLength, inclusive: true, input: value });
    })
    .meta({ maxLength });

/**
 * A value of a response. Its current values are documented and not enforced: a later release may add values. openapi.json lists them under
 * `x-extensible-enum`. The sets of `match`, `kind` and the health `status` are complete, and so closed; those of requests always are.
 */
export const openEnum = <Value extends string>(
  values: readonly Value[],
  { meanings, more = '' }: { meanings?: Readonly<Record<Value, string>>; more?: string } = {},
) => {
  const texts = [`Open-ended; today one of: ${values.join(', ')}.`, more, meanings ? meaningsText(meanings) : ''];
  return z.string().meta({ [extensibleEnum]: values, description: texts.filter((text) => text !== '').join(' ') });
};

/** The name of the list of current values in openapi.json. Generators of clients read it. */
export const extensibleEnum = 'x-extensible-enum';

/** Returns the members of a request as a response has them: their sets of values are open, and their objects may get more members. */
export const inResponse = (members: z.ZodRawShape): z.ZodRawShape =>
  Object.fromEntries(Object.entries(members).map(([name, schema]) => [name, opened(schema as z.ZodType)]));

function opened(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodEnum) return openEnum(schema.options.map(String));
  if (schema instanceof z.ZodNullable) {
    const inner = opened(schema.unwrap() as z.ZodType).nullable();
    return schema.description === undefined ? inner : inner.describe(schema.description);
  }
  if (schema instanceof z.ZodArray) return z.array(opened(schema.element as z.ZodType));
  if (schema instanceof z.ZodObject) {
    const object = z.object(inResponse(schema.shape));
    return schema.description === undefined ? object : object.describe(schema.description);
  }
  return schema;
}

export const slug = () => z.string().min(1).max(100);

/** A registrable domain with A-labels. */
export const domain = () => z.string().min(3).max(253).describe('Canonical registrable domain, A-labels, lower case');

/** Where the next page begins. */
export const nextCursor = () => z.string().nullable().describe('The cursor of the next page; null on the last one');

/** A page of entries. `next_cursor` is null on the last page. */
export function pageOf<Entry extends z.ZodType>(id: string, entry: Entry) {
  return named(id, z.object({ data: z.array(entry).describe('The entries of this page'), next_cursor: nextCursor() }));
}

const wholeNumber = (text: string) => (/^\d{1,9}$/.test(text) ? Number(text) : Number.NaN);

/** A whole number in a query string. */
export const queryInteger = (min: number, max: number) =>
  z
    .string()
    .transform(wholeNumber)
    .refine((n) => n >= min && n <= max, `must be a whole number from ${min} to ${max}`);

export const pageLimits = { min: 1, max: 200, default: 50 } as const;

/** The documented type of query parameters whose schema parses a string. openapi.json shows this type. */
export const queryDocumentation = z.registry<
  { description?: string } & (
    | { type: 'integer'; minimum: number; maximum: number; default?: number }
    | { type: 'array'; items: Record<string, unknown>; minItems: number; maxItems: number }
  )
>();

/** The largest number of values of a list in a query string. A search merges one range of an index for each of them. */
export const maxQueryValues = 20;

function itemDocumentation(item: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...rest } = z.toJSONSchema(item, { target: 'draft-2020-12' });
  return rest;
}

/**
 * A list in a query string: `technology=klaviyo,gorgias`. A row has any of the values. Handlers get an array in the order of the caller, empty
 * without the parameter. A message names the value as `technology[1]`.
 */
export function queryList<Item extends z.ZodType<string, string>>(
  item: Item,
  description: string,
  maxItems = maxQueryValues,
) {
  const values = z
    .array(item)
    .refine(({ length }) => length <= maxItems, `must be at most ${maxItems} values, separated by commas`);
  const schema = z
    .string()
    .transform((text) => text.split(','))
    .pipe(values)
    .optional()
    .transform((list) => list ?? []);
  queryDocumentation.add(schema, {
    description: `${description}. One value or several, separated by commas`,
    type: 'array',
    items: itemDocumentation(item),
    minItems: 1,
    maxItems,
  });
  return schema;
}

export const pageLimit = () => {
  const schema = queryInteger(pageLimits.min, pageLimits.max).default(pageLimits.default);
  queryDocumentation.add(schema, {
    description: 'Entries of a page',
    type: 'integer',
    minimum: pageLimits.min,
    maximum: pageLimits.max,
    default: pageLimits.default,
  });
  return schema;
};

export const cursor = () => z.string().min(1).max(500).optional().describe('next_cursor of the page before');
