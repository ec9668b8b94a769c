import { z } from 'zod';
import { errorEnvelope, errorExample } from '../src/contract/errors.ts';
import { endpoints } from '../src/endpoints/endpoints.ts';
import { exampleDomain, failedJob, jobResults } from '../src/endpoints/jobs/contract.ts';

/**
 * Every field of the responses, from the schemas that openapi.json is made of. docs/openapi.json is committed, so a schema that
 * loses or loosens a field shows in its diff.
 */
export type Kind = 'string' | 'timestamp' | 'url' | 'integer' | 'number' | 'boolean' | 'object' | 'array';

export interface Field {
  /** Member names and 0 for the first element of an array, with dots between them. */
  path: string;
  kind: Kind;
  presence: 'required' | 'nullable' | 'optional';
}

type Type = Kind | 'null';

interface Node {
  type?: Type | Type[];
  format?: string;
  const?: unknown;
  properties?: Record<string, Node>;
  required?: string[];
  items?: Node;
  anyOf?: Node[];
}

export const exampleOf = (id: string): unknown => endpoints.find((endpoint) => endpoint.id === id)?.success.example;

const document = (schema: z.ZodType, example: unknown) => ({
  schema,
  example,
  fields: fieldsOf(nodeOf(schema), example),
});

export const documents: Readonly<Record<string, ReturnType<typeof document>>> = {
  ...Object.fromEntries(
    endpoints.flatMap(({ id, success, otherSuccess }) =>
      [success, ...(otherSuccess ? [otherSuccess] : [])].flatMap(({ schema, example, status }) =>
        schema ? [[status === otherSuccess?.status ? `${id} ${status}` : id, document(schema, example)]] : [],
      ),
    ),
  ),
  'getJobResults of a scan': document(jobResults, {
    data: [{ domain: exampleDomain, state: 'failed', error: failedJob.error }],
    next_cursor: null,
  }),
  error: document(errorEnvelope, errorExample('payment_required')),
};

function nodeOf(schema: z.ZodType): Node {
  return z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any', reused: 'inline' }) as Node;
}

/** The fields that the example has. */
function fieldsOf(node: Node, example: unknown, prefix = ''): Field[] {
  if (Array.isArray(example)) {
    return example.length > 0 && node.items ? fieldsOf(node.items, example[0], `${prefix}0.`) : [];
  }
  if (typeof example !== 'object' || example === null) return [];
  // In a union, this is the variant that has all members of the example.
  const isOf = (option: Node) => Object.keys(example).every((name) => name in (option.properties ?? {}));
  const { properties = {}, required } = node.anyOf?.find(isOf) ?? node;
  return Object.entries(properties).flatMap(([name, member]) => {
    const options = member.anyOf ?? [member];
    const isNullable = options.some(({ type }) => [type].flat().includes('null'));
    const given = options.find(({ type }) => type !== 'null') as Node;
    const isRequired = required?.includes(name);
    const presence = isNullable ? 'nullable' : isRequired ? 'required' : 'optional';
    const value = (example as Record<string, unknown>)[name];
    return [{ path: prefix + name, kind: kindOf(given), presence }, ...fieldsOf(given, value, `${prefix + name}.`)];
  });
}

function kindOf({ type, format }: Node): Kind {
  if (format === 'date-time') return 'timestamp';
  if (format === 'uri') return 'url';
  return [type].flat().find((one) => one !== undefined && one !== 'null') ?? 'string';
}
