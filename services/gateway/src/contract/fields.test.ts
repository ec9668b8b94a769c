import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { documents, exampleOf, type Kind } from '../../test/contract-fields.ts';
import { storeResponse } from '../endpoints/get-store/contract.ts';

const wrong: Record<Kind, unknown[]> = {
  string: [1, {}, [], true],
  timestamp: [1, 'yesterday', '2026-01-15', '2026-01-15T12:00:00+01:00', {}],
  url: [1, 'not a url', {}],
  integer: ['1', 1.5, -1, {}],
  number: ['1', {}],
  boolean: ['true', 1, {}],
  object: ['x', 1, []],
  array: ['x', 1, {}],
};

/** A copy of `document` with the member at `path` changed. */
function changed(
  document: unknown,
  path: string,
  change: (parent: Record<string, unknown>, name: string) => void,
): unknown {
  const copy = structuredClone(document);
  const names = path.split('.');
  const last = names.pop() as string;
  const parent = names.reduce((at, name) => at[name] as Record<string, unknown>, copy as Record<string, unknown>);
  expect(parent).toHaveProperty(last);
  change(parent, last);
  return copy;
}

const fields = Object.entries(documents).flatMap(([document, { schema, example, fields }]) =>
  fields.map((field) => ({ document, schema, example, ...field })),
);

describe('contract fields', () => {
  it('the contract has all fields of its examples', () => {
    for (const [document, { example, fields }] of Object.entries(documents)) {
      const known = new Set(fields.map(({ path }) => path));
      // Maps of URLs and headers, openapi.json, JSON Schemas, the data of events and the query as applied may have any member.
      const free = /^(endpoints|where|info|paths|event\.data|(?:data\.0\.)?(?:headers|schema|(?:example\.)?data))\./;
      const missing = pathsOf(example).filter((path) => !known.has(path) && path !== 'paths' && !free.test(path));
      expect(missing, document).toEqual([]);
    }
    expect(fields.length).toBeGreaterThan(250);
  });

  it.each(fields)('the contract refuses $document without $path ($kind, $presence), and other kinds of it', (field) => {
    const { schema, example, path, kind, presence } = field;
    const fits = (value: unknown) => schema.safeParse(value).success;
    expect(fits(example)).toBe(true);
    const without = changed(example, path, (parent, name) => {
      delete parent[name];
    });
    expect(fits(without)).toBe(presence === 'optional');
    const withValue = (value: unknown) =>
      changed(example, path, (parent, name) => {
        parent[name] = value;
      });
    for (const value of wrong[kind]) expect(fits(withValue(value)), JSON.stringify(value)).toBe(false);
    expect(fits(withValue(null))).toBe(presence === 'nullable');
  });

  it('the contract requires the prefix of each identifier', () => {
    const prefixed: [string, string, string][] = [
      ['getStore', 'store.brand_group_id', 'bg_'],
      ['getStore', 'store.storefront_id', 'sf_'],
      ['getStore', 'store.recent_signals.0.id', 'evt_'],
      ['getStoreHistory', 'data.0.id', 'evt_'],
      ['searchSignals', 'data.0.id', 'evt_'],
      ['searchSignals', 'data.0.storefront_id', 'sf_'],
      ['getAccount', 'key.id', 'key_'],
      ['getAccount', 'workspace.id', 'ws_'],
      ['getUsage', 'by_key.0.key_id', 'key_'],
      ['getJob', 'id', 'job_'],
    ];
    for (const [document, path, prefix] of prefixed) {
      const { schema, example } = documents[document] as { schema: z.ZodType; example: unknown };
      const set = (value: string) =>
        schema.safeParse(
          changed(example, path, (parent, name) => {
            parent[name] = value;
          }),
        ).success;
      expect([set(`${prefix}1`), set('other_1')], path).toEqual([true, false]);
    }
  });

  it('the contract allows at most five recent_signals', () => {
    const six = changed(exampleOf('getStore'), 'store.recent_signals', (parent, name) => {
      parent[name] = Array.from({ length: 6 }, () => (parent[name] as unknown[])[0]);
    });
    expect(storeResponse.safeParse(six).success).toBe(false);
  });

  it.each([
    ['enrichStores', 'results.0.match', ['matched', 'stale', 'no_match', 'error'], false],
    ['listTechnologies', 'data.0.kind', ['platform', 'app', 'service', 'theme'], false],
    ['enrichStores', 'results.0.reason', ['not_in_corpus', 'invalid_domain'], true],
    ['getJob', 'type', ['scan', 'enrich'], true],
    ['getJob', 'state', ['queued', 'running', 'succeeded', 'failed', 'canceled'], true],
    ['getJobResults', 'data.0.match', ['matched', 'stale', 'no_match', 'error'], false],
    ['getJobResults', 'data.0.reason', ['not_in_corpus', 'allowance_exhausted', 'internal'], true],
    ['getJobResults of a scan', 'data.0.state', ['succeeded', 'failed'], true],
    ['error', 'error.code', ['invalid_request', 'unavailable'], true],
  ] as const)('the contract allows %s %s to be one of %j, and others: %s', (document, path, values, isOpen) => {
    const { schema, example } = documents[document] as { schema: z.ZodType; example: unknown };
    const allows = (value: string) =>
      schema.safeParse(
        changed(example, path, (parent, name) => {
          parent[name] = value;
        }),
      ).success;
    for (const value of values) expect(allows(value), value).toBe(true);
    expect(allows('something else')).toBe(isOpen);
  });
});

/** Paths of all members of the first element of every array. */
function pathsOf(value: unknown, prefix = ''): string[] {
  if (Array.isArray(value)) return value.length > 0 ? pathsOf(value[0], `${prefix}0.`) : [];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, member]) => [
    `${prefix}${name}`,
    ...pathsOf(member, `${prefix}${name}.`),
  ]);
}
