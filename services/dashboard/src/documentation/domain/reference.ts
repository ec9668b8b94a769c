import { type ErrorExplanation, errorExplanations } from '@shopscope/errors';
import { type Field, fieldOf, fieldsOf } from './fields.ts';
import {
  jsonOf,
  type Openapi,
  type OpenapiHeader,
  type OpenapiOperation,
  type OpenapiParameter,
  type OpenapiResponse,
  resolve,
} from './openapi.ts';

/** An operation of the API, as the reference shows it. */
export type Operation = ReturnType<typeof operationOf>;
export type Parameter = ReturnType<typeof parameterOf>;
export type Success = Operation['successes'][number];
export type OperationError = Operation['errors'][number];
export type Family = ReturnType<typeof familiesOf>[number];

/** The operations of the contract, by family, in the contract's order. */
export function familiesOf(document: Openapi) {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationOf(document, method.toUpperCase(), path, operation)),
  );
  return document.tags.map(({ name, description }) => ({
    name,
    description,
    operations: operations.filter(({ family }) => family === name),
  }));
}

function operationOf(document: Openapi, method: string, path: string, of: OpenapiOperation) {
  const body = jsonOf(of.requestBody?.content);
  const operation = { id: of.operationId, scope: of['x-scope'] };
  const responses = Object.entries(of.responses).map(([status, response]) => ({
    status: Number(status),
    response: resolve<OpenapiResponse>(document, response),
  }));
  return {
    ...operation,
    /** The path, with placeholders in braces. */
    path,
    method,
    family: of.tags[0] ?? '',
    summary: of.summary,
    description: of.description ?? '',
    needsKey: of.security.length > 0,
    /** The bill as text, for example `free`. */
    billing: of['x-billing'],
    /** The units that it may bill. Empty if it is free. */
    units: of['x-billing-units'],
    /** False if the operation is only announced. It then answers 501. */
    isServed: of['x-served'],
    parameters: of.parameters.map((parameter) => parameterOf(document, resolve<OpenapiParameter>(document, parameter))),
    body: body && { fields: fieldsOf(document, body.schema), example: body.example },
    successes: responses.flatMap(({ status, response }) => (status < 400 ? successOf(document, status, response) : [])),
    errors: responses.flatMap(({ status, response }) =>
      status < 400 ? [] : errorsOf(document, status, response, operation),
    ),
  };
}

function parameterOf(document: Openapi, { name, in: place, schema, required, ...more }: OpenapiParameter) {
  return { ...fieldOf(document, { name, schema, isRequired: required, ...more }), in: place };
}

const headersOf = (document: Openapi, { headers = {} }: OpenapiResponse): Field[] =>
  Object.entries(headers).map(([name, header]) => {
    const { schema, required, description } = resolve<OpenapiHeader>(document, header);
    return fieldOf(document, { name, schema, isRequired: required, description });
  });

/** A response without an error: 2xx, or 304. */
function successOf(document: Openapi, status: number, response: OpenapiResponse) {
  const body = jsonOf(response.content);
  return {
    status,
    description: response.description,
    headers: headersOf(document, response),
    fields: body ? fieldsOf(document, body.schema) : [],
    /** Undefined if the response has no body. */
    example: body?.example,
  };
}

type ErrorBody = { error: { code: string; message: string } };

/** One entry for each error code of the response. */
function errorsOf(
  document: Openapi,
  status: number,
  response: OpenapiResponse,
  { id, scope }: { id: string; scope: string | undefined },
) {
  const examples = Object.entries(jsonOf(response.content)?.examples ?? {}).map(([name, { value }]) => ({
    name,
    body: value as ErrorBody,
  }));
  const headers = headersOf(document, response);
  return [...Map.groupBy(examples, ({ body }) => body.error.code)].map(([code, own]) => {
    const { meaning, action } = explanationOf(code, own[0]?.name);
    const shown = own.filter(({ name }) => isPossible(name, id)).map(({ body }) => withScope(body, scope));
    return { status, code, meaning, action, headers, examples: shown };
  });
}

/** Operations share the examples of a response. Some examples belong to one operation only. */
const isPossible = (example: string, operationId: string) =>
  example !== 'forbidden_scope_refresh' || ['enrichStores', 'enrichList'].includes(operationId);

const withScope = ({ error }: ErrorBody, scope: string | undefined): ErrorBody => ({
  error: { ...error, message: error.message.replace('needs the scope read:stores', `needs the scope ${scope}`) },
});

/** The explanation of the example, if it has one; otherwise that of the code. */
function explanationOf(code: string, example = code): ErrorExplanation {
  const explanations: Readonly<Record<string, ErrorExplanation>> = errorExplanations;
  const found = explanations[example] ?? explanations[code];
  if (!found) throw new Error(`the error ${code} is not explained`);
  return found;
}
