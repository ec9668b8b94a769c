import type { IDataObject } from 'n8n-workflow';
import type { OperationContext } from './operation.ts';

export const textOf = (context: OperationContext, name: string, item: number): string =>
  String(context.parameter(name, item) ?? '').trim();

/** A domain in a path. */
export const pathPart = (context: OperationContext, name: string, item: number): string =>
  encodeURIComponent(textOf(context, name, item));

/** Domains from one text with separators, or from the list that an expression gives. */
export function domainsOf(context: OperationContext, item: number): string[] {
  const value = context.parameter('domains', item);
  const texts = Array.isArray(value) ? value : [value];
  return texts.flatMap((text) =>
    String(text ?? '')
      .split(/[\s,;]+/)
      .filter((domain) => domain !== ''),
  );
}

/** The entries of a collection that the user has filled in. Lists become comma lists, as the API takes them. */
export function filtersOf(context: OperationContext, name: string, item: number): IDataObject {
  const entries = Object.entries((context.parameter(name, item) ?? {}) as IDataObject);
  return Object.fromEntries(
    entries
      .map(([key, value]) => [key, Array.isArray(value) ? value.join(',') : value] as const)
      .filter(([, value]) => value !== '' && value !== undefined && value !== null),
  );
}

export const limitOf = (context: OperationContext, item: number): number =>
  context.parameter('returnAll', item) === true ? Number.MAX_SAFE_INTEGER : Number(context.parameter('limit', item));
