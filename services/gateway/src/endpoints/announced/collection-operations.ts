import type { Scope } from '@shopscope/proto';
import { z } from 'zod';
import type { Billing, Operation } from '../../contract/operation.ts';
import { domain } from '../../contract/schemas.ts';
import {
  domainResults,
  domainsRequest,
  exampleDomain,
  exampleTime,
  idParams,
  memberPage,
  pageQuery,
} from './shared.ts';

export interface Collection {
  /** The plural, as in the path. */
  path: string;
  noun: 'list' | 'watchlist';
  Noun: string;
  idName: string;
  prefix: string;
  read: Scope;
  write: Scope;
  schema: z.ZodObject;
  page: z.ZodType;
  create: z.ZodObject;
  update: z.ZodObject;
  example: Record<string, unknown>;
  createExample: Record<string, unknown>;
  updateExample: Record<string, unknown>;
  billing: Billing;
}

/** The eight operations of lists, and of watchlists. */
export function collectionOperations(c: Collection): Operation[] {
  const root = `/v1/${c.path}`;
  const one = `${root}/{${c.idName}}`;
  const params = idParams(c.idName, c.prefix);
  const shared = { tag: `${c.Noun}s`, access: 'key', billing: c.billing, served: false } as const;
  const notFound = `not_found_${c.noun}` as const;
  const write = { ...shared, scope: c.write };
  const read = { ...shared, scope: c.read };
  const success = { status: 200, description: `The ${c.noun}.`, schema: c.schema, example: c.example } as const;
  return [
    {
      ...write,
      id: `create${c.Noun}`,
      method: 'POST',
      path: root,
      summary: `Create a ${c.noun}`,
      body: c.create,
      idempotent: true,
      success: { ...success, status: 201, requestExample: c.createExample },
    },
    {
      ...read,
      id: `list${c.Noun}s`,
      method: 'GET',
      path: root,
      summary: `Every ${c.noun} of the workspace`,
      query: z.strictObject(pageQuery),
      success: {
        status: 200,
        description: 'A page.',
        schema: c.page,
        example: { data: [c.example], next_cursor: null },
      },
    },
    {
      ...read,
      id: `get${c.Noun}`,
      method: 'GET',
      path: one,
      summary: `One ${c.noun}`,
      params,
      success,
      errors: [notFound],
    },
    {
      ...write,
      id: `update${c.Noun}`,
      method: 'PATCH',
      path: one,
      summary: `Change a ${c.noun}`,
      params,
      body: c.update,
      success: { ...success, requestExample: c.updateExample },
      errors: [notFound],
    },
    {
      ...write,
      id: `delete${c.Noun}`,
      method: 'DELETE',
      path: one,
      summary: `Delete a ${c.noun}`,
      params,
      success: { status: 204, description: 'Deleted.' },
      errors: [notFound],
    },
    {
      ...write,
      id: `add${c.Noun}Stores`,
      method: 'POST',
      path: `${one}/stores`,
      summary: `Add stores to a ${c.noun}`,
      params,
      body: domainsRequest,
      idempotent: true,
      success: {
        status: 200,
        description: 'What became of each input.',
        schema: domainResults,
        example: { results: [{ input: exampleDomain, domain: exampleDomain, result: 'added', reason: null }] },
        requestExample: { domains: [exampleDomain] },
      },
      errors: [notFound],
    },
    {
      ...read,
      id: `list${c.Noun}Stores`,
      method: 'GET',
      path: `${one}/stores`,
      summary: `Stores of a ${c.noun}`,
      params,
      query: z.strictObject(pageQuery),
      success: {
        status: 200,
        description: 'A page of domains.',
        schema: memberPage,
        example: { data: [{ domain: exampleDomain, added_at: exampleTime }], next_cursor: null },
      },
      errors: [notFound],
    },
    {
      ...write,
      id: `remove${c.Noun}Store`,
      method: 'DELETE',
      path: `${one}/stores/{domain}`,
      summary: `Remove a store from a ${c.noun}`,
      params: params.extend({ domain: domain() }),
      success: { status: 204, description: 'Removed.' },
      errors: [notFound],
    },
  ];
}
