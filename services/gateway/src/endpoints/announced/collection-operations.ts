import { z } from 'zod';
import type { Billing, Operation } from '../../contract/operation.ts';
import { domain, idWith, named, pageOf } from '../../contract/schemas.ts';
import {
  addedDomains,
  deleted,
  domainsRequest,
  exampleDomain,
  exampleTime,
  exampleTimes,
  idParams,
  memberPage,
  pageQuery,
  pageSuccess,
  times,
} from './shared.ts';

export interface Collection {
  noun: 'list' | 'watchlist';
  Noun: string;
  /** The prefix of ids. */
  prefix: string;
  /** The fields that a caller sets. */
  fields: z.ZodRawShape;
  /** The fields that only the service sets, besides id and times. */
  ownFields?: z.ZodRawShape;
  /** The fields that a caller may set in a change, besides {@link Collection.fields}. */
  changeFields?: z.ZodRawShape;
  example: Record<string, unknown>;
  ownExample?: Record<string, unknown>;
  updateExample: Record<string, unknown>;
  billing: Billing;
}

/** The eight operations of a collection: of lists or of watchlists. */
export function collectionOperations(c: Collection): Operation[] {
  const root = `/v1/${c.noun}s`;
  const params = idParams(`${c.noun}_id`, c.prefix);
  const ofOne = { path: `${root}/{${c.noun}_id}`, params, errors: [`not_found_${c.noun}`] } as const;
  const ofStores = { ...ofOne, path: `${ofOne.path}/stores` };
  const shared = { tag: `${c.Noun}s`, access: 'key', billing: c.billing, served: false } as const;
  const write = { ...shared, scope: 'write:watchlists' } as const;
  const read = { ...shared, scope: 'read:watchlists' } as const;
  const schema = named(c.Noun, z.object({ id: idWith(c.prefix), ...c.fields, ...c.ownFields, ...times }));
  const example = { id: `${c.prefix}_01kandxv3w9p4nsbq7g8e2hm5t`, ...c.example, ...c.ownExample, ...exampleTimes };
  const success = { status: 200, description: `The ${c.noun}.`, schema, example } as const;
  return [
    {
      ...write,
      id: `create${c.Noun}`,
      method: 'POST',
      path: root,
      summary: `Create a ${c.noun}`,
      body: named(`${c.Noun}Create`, z.strictObject(c.fields)),
      idempotent: true,
      success: { ...success, status: 201, requestExample: c.example },
    },
    {
      ...read,
      id: `list${c.Noun}s`,
      method: 'GET',
      path: root,
      summary: `Every ${c.noun} of the workspace`,
      query: z.strictObject(pageQuery),
      success: pageSuccess(pageOf(`${c.Noun}Page`, schema), example),
    },
    { ...read, ...ofOne, id: `get${c.Noun}`, method: 'GET', summary: `One ${c.noun}`, success },
    {
      ...write,
      ...ofOne,
      id: `update${c.Noun}`,
      method: 'PATCH',
      summary: `Change a ${c.noun}`,
      body: named(`${c.Noun}Update`, z.strictObject({ ...c.fields, ...c.changeFields }).partial()),
      success: { ...success, requestExample: c.updateExample },
    },
    {
      ...write,
      ...ofOne,
      id: `delete${c.Noun}`,
      method: 'DELETE',
      summary: `Delete a ${c.noun}`,
      success: deleted,
    },
    {
      ...write,
      ...ofStores,
      id: `add${c.Noun}Stores`,
      method: 'POST',
      summary: `Add stores to a ${c.noun}`,
      body: domainsRequest,
      idempotent: true,
      success: addedDomains,
    },
    {
      ...read,
      ...ofStores,
      id: `list${c.Noun}Stores`,
      method: 'GET',
      summary: `Stores of a ${c.noun}`,
      query: z.strictObject(pageQuery),
      success: pageSuccess(memberPage, { domain: exampleDomain, added_at: exampleTime }, 'A page of domains.'),
    },
    {
      ...write,
      ...ofOne,
      id: `remove${c.Noun}Store`,
      method: 'DELETE',
      path: `${ofStores.path}/{domain}`,
      summary: `Remove a store from a ${c.noun}`,
      params: params.extend({ domain: domain() }),
      success: { status: 204, description: 'Removed.' },
    },
  ];
}
