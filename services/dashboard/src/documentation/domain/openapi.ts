/** The parts of the API's OpenAPI document that the documentation shows. */
export interface Openapi {
  info: { title: string; version: string; description: string };
  servers: { url: string; description?: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, OpenapiOperation>>;
  /** The types of events, each with an example of the whole event. */
  webhooks: Record<string, { post: { summary: string; requestBody: { content: Content } } }>;
  components: { schemas: Record<string, Schema> };
}

export interface Reference {
  $ref: string;
}

export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: unknown[];
  /** The present values of an open set. */
  'x-extensible-enum'?: string[];
  const?: unknown;
  default?: unknown;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: Schema[];
}

export interface OpenapiOperation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  security: unknown[];
  'x-scope'?: string;
  'x-billing': string;
  'x-billing-units': string[];
  'x-served': boolean;
  parameters: (OpenapiParameter | Reference)[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, OpenapiResponse | Reference>;
}

export interface OpenapiParameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: Schema;
}

export interface OpenapiHeader {
  description: string;
  required: boolean;
  schema: Schema;
}

type Content = Record<string, { schema: Schema; example?: unknown; examples?: Record<string, { value: unknown }> }>;

export interface OpenapiResponse {
  description: string;
  headers?: Record<string, OpenapiHeader | Reference>;
  content?: Content;
}

/** The target of a reference within the document, or the value itself if it is not a reference. Throws if the target does not exist. */
export function resolve<T extends object>(document: Openapi, value: T | Reference): T {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value as T;
  const parts = value.$ref.replace(/^#\//, '').split('/');
  const found = parts.reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], document);
  if (typeof found !== 'object' || found === null) throw new Error(`${value.$ref} points nowhere`);
  // A reference may have its own description beside it.
  const { $ref: _, ...own } = value as Reference & Record<string, unknown>;
  return { ...found, ...own } as T;
}

/** The JSON body of a request or response. All bodies are JSON. */
export const jsonOf = (content: Content | undefined) => content?.['application/json'];
