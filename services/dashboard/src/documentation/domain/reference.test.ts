import { readFileSync } from 'node:fs';
import { errorCodes } from '@shopscope/errors';
import { describe, expect, it } from 'vitest';
import type { Field } from './fields.ts';
import { fieldOf } from './fields.ts';
import type { Openapi, Schema } from './openapi.ts';
import { familiesOf, type Operation } from './reference.ts';
import { markdownOf } from './reference-markdown.ts';

const contract = JSON.parse(
  readFileSync(new URL('../../../../../docs/openapi.json', import.meta.url), 'utf8'),
) as Openapi;
const operations = familiesOf(contract).flatMap((family) => family.operations);
const operation = (id: string) => operations.find((each) => each.id === id) as Operation;

const allPaths = (fields: readonly Field[]): string[] =>
  fields.flatMap((field) => [field.path, ...allPaths(field.fields)]);
/** The paths of the objects whose members have any name. */
const recordsIn = (fields: readonly Field[]): string[] =>
  fields.flatMap(({ path, type, fields: members }) => [
    ...(/object with|any value/.test(type) ? [path] : []),
    ...recordsIn(members),
  ]);
const fieldAt = (fields: readonly Field[], path: string): Field | undefined =>
  fields.find((field) => field.path === path) ??
  fields.map((field) => fieldAt(field.fields, path)).find((field) => field !== undefined);

/** The paths of an example's members, as the reference writes them. */
function pathsIn(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => pathsIn(each, `${path}[]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const own = path === '' ? name : `${path}.${name}`;
    return [own, ...pathsIn(member, own)];
  });
}

describe('reference', () => {
  it('the reference has every operation of the contract, once, in a family', () => {
    const ids = Object.values(contract.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    expect(operations.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  });

  // The standard OpenAPI describes the document of getOpenapi.
  const ids = operations.flatMap(({ id }) => (id === 'getOpenapi' ? [] : [id]));
  it.each(ids)('the reference of %s describes every member that its examples have', (id) => {
    const { body, successes } = operation(id);
    for (const { fields, example } of [...successes, ...(body ? [body] : [])]) {
      const described = allPaths(fields);
      const free = recordsIn(fields);
      const isFree = (path: string) => free.some((record) => path.startsWith(`${record}.`));
      expect(pathsIn(example).filter((path) => !described.includes(path) && !isFree(path))).toEqual([]);
    }
  });

  it('the reference has an example and an explanation of every error of every operation, and all error codes', () => {
    const errors = operations.flatMap((each) => each.errors);
    for (const { code, meaning, action, examples } of errors) {
      expect({ code, hasMeaning: meaning !== '', hasAction: action !== '', examples: examples.length > 0 }).toEqual({
        code,
        hasMeaning: true,
        hasAction: true,
        examples: true,
      });
    }
    // Every operation of the contract is served.
    const sent = errorCodes.filter((code) => code !== 'not_implemented');
    expect([...new Set(errors.map(({ code }) => code))].toSorted()).toEqual(sent.toSorted());
  });

  it('the reference shows examples of the operation, although operations share their error responses', () => {
    const messages = (id: string, code: string) =>
      operation(id).errors.flatMap((error) =>
        error.code === code ? error.examples.map((each) => JSON.stringify(each)) : [],
      );
    expect(messages('getJob', 'not_found').join()).toContain('no such job');
    expect(messages('getJob', 'forbidden_scope').join()).toContain('read:jobs');
    expect(messages('getJob', 'forbidden_scope').join()).not.toContain('refresh');
    expect(messages('getStore', 'not_found').join()).toContain('not in the corpus');
    expect(messages('enrichStores', 'forbidden_scope').join()).toContain('refresh: true needs the scope write:scans');
  });

  it('the reference separates one status with two codes', () => {
    const codes = operation('getStore').errors.filter(({ status }) => status === 503);
    expect(codes.map(({ code }) => code)).toEqual(['concurrency_limited', 'unavailable']);
  });

  it('the reference as Markdown has every member', () => {
    const page = markdownOf(operation('enrichStores'), 'https://api.test');
    for (const name of ['`domains`', '`price_range`', '`install_state`', '`Idempotency-Key`', '`payment_required`'])
      expect(page.replaceAll(/^### \d+ (\w+)$/gm, '`$1`')).toContain(name);
  });
});

describe('members', () => {
  const { fields } = operation('getStore').successes[0] as { fields: Field[] };

  it('a member with an open list of values has each with its meaning, and the sentence about them only once', () => {
    const state = fieldAt(fields, 'store.technologies[].install_state');
    expect(state?.values).toEqual([
      { value: 'configured', meaning: 'loaded or set up, but never seen working' },
      { value: 'active', meaning: 'seen working' },
      { value: 'inactive', meaning: 'was active before, is still set up, and is no longer seen working' },
    ]);
    expect([state?.isOpen, state?.description]).toEqual([true, '']);
  });

  it('a member that may be null, has bounds, or is a list says so in words', () => {
    const shown = (path: string) => {
      const { type, constraints } = fieldAt(fields, path) as Field;
      return [type, ...constraints];
    };
    expect(shown('store.observation.coverage_note')).toEqual(['string or null']);
    expect(shown('store.domain')).toEqual(['string', '3 to 253 characters']);
    expect(shown('store.recent_signals')).toEqual(['array of object', 'at most 5 entries']);
    expect(shown('store.storefront_id')).toEqual(['string', 'begins with sf_']);
    expect(shown('store.status.as_of')).toEqual(['timestamp']);
  });

  it('a member that refers to nothing, or to itself without end, is refused', () => {
    const field = (schema: Schema, schemas: Record<string, Schema>) =>
      fieldOf(
        { ...contract, components: { ...contract.components, schemas } },
        { name: 'a', schema, isRequired: true },
      );
    const self = { $ref: '#/components/schemas/Self' };
    expect(() => field(self, {})).toThrow('points nowhere');
    expect(() => field(self, { Self: { type: 'object', properties: { self } } })).toThrow('without end');
  });
});
