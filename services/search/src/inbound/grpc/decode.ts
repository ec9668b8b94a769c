import { invalidField } from '@shopscope/errors';
import type * as proto from '@shopscope/proto';
import type { QueryContext, SortValues } from '@shopscope/store-search';

export const decodeContext = (context: proto.QueryContext | undefined): QueryContext => ({
  windowFrom: context?.windowFrom ?? 0,
  lists: new Map(context?.lists.map(({ listId, domains }) => [listId, domains])),
});

/** Decodes the position that an earlier page returned. */
export function decodeAfter(after: string): SortValues | undefined {
  if (after === '') return undefined;
  const values: unknown = parsed(after);
  const isValue = (each: unknown) => typeof each === 'string' || typeof each === 'number';
  if (!Array.isArray(values) || values.length > 2 || !values.every(isValue))
    throw invalidField('after', 'is not valid');
  return values as SortValues;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
