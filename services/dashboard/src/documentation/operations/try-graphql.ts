/** GraphQL documents that a person sends from the documentation, by the same way as every tried operation. */

import { invalidField } from '@shopscope/errors';
import { z } from 'zod';
import type { WorkspaceVisit } from '../../app/operations/visit.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import { linesAt, operationNamesOf, placeIn } from '../domain/graphql-document.ts';
import type { Operation } from '../domain/reference.ts';
import { type Decision, sendRequest, shown } from './try-out.ts';

export interface TriedDocument extends Decision {
  query: string;
  /** The variables as JSON. An empty text has none. */
  variables: string;
  /** One of several operations of the document. */
  operationName: string;
  /** Whether the API only says what the document can cost. */
  isQuote: boolean;
}

export type DocumentAnswer = Awaited<ReturnType<typeof sendDocument>>;

/** `operation`: the operation `graphql` of the contract. */
export async function sendDocument(
  deps: Dependencies,
  visit: WorkspaceVisit,
  operation: Operation,
  { token, isConfirmed, ...typed }: TriedDocument,
) {
  const query = typed.query.replaceAll('\r\n', '\n');
  const request = { method: operation.method, path: operation.path, body: bodyOf({ ...typed, query }) };
  // A quote bills nothing, so it needs no agreement.
  const response = await sendRequest(
    deps,
    visit,
    { operation: typed.isQuote ? { ...operation, units: [] } : operation, request },
    { token, isConfirmed },
  );
  const { cost, problem } = partsOf(response.text);
  const place = problem?.field === 'query' ? placeIn(problem.message) : undefined;
  return {
    ...shown(request, response),
    cost,
    problem,
    /** The part of the document that the error is about. */
    marked: place && { ...place, lines: linesAt(query, place) },
  };
}

function bodyOf({ query, variables, operationName, isQuote }: Omit<TriedDocument, keyof Decision>): string {
  if (query.trim() === '') throw invalidField('query', 'Enter a document.');
  const names = operationNamesOf(query);
  if (names.length > 1 && !names.includes(operationName)) {
    throw invalidField('operation_name', 'Nothing was sent. Choose one of the operations of the document.');
  }
  const members = [
    `"query": ${JSON.stringify(query)}`,
    // The typed text is sent, because a number can have more digits than JavaScript keeps.
    ...(variables.trim() === '' ? [] : [`"variables": ${jsonObject(variables)}`]),
    ...(names.length > 1 ? [`"operationName": ${JSON.stringify(operationName)}`] : []),
    ...(isQuote ? ['"extensions": {"dryRun": true}'] : []),
  ];
  return `{${members.join(', ')}}`;
}

function jsonObject(text: string): string {
  const value = parse(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return text.trim();
  throw invalidField('variables', 'Nothing was sent. Enter a JSON object, for example {"domain": "matched.test"}.');
}

const units = z.record(z.string(), z.number());
const responseBody = z.object({
  extensions: z
    .object({
      cost: z.object({
        requested: units,
        billed: units,
        nodes: z.object({ requested: z.number(), limit: z.number() }),
      }),
    })
    .optional(),
  error: z.object({ message: z.string() }).optional(),
});

/** The members of the API's request, and the fields of the form that have them. */
const fields: Readonly<Record<string, string>> = {
  query: 'query',
  variables: 'variables',
  operationName: 'operation_name',
};

function partsOf(text: string) {
  const { extensions, error } = responseBody.safeParse(parse(text)).data ?? {};
  const [, member = '', message = ''] = /^(\w+)[\w.[\]]*: (.*)$/s.exec(error?.message ?? '') ?? [];
  const field = Object.hasOwn(fields, member) ? fields[member] : undefined;
  return { cost: extensions?.cost, problem: field === undefined ? undefined : { field, message } };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
