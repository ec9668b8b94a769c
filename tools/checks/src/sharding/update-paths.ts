import type { Document } from 'mongodb';

/** The path that stands for every path. */
export const everyPath = '*';

/** Returns the paths that an update may change. `$setOnInsert` is left out: it does not change the key of an existing document. */
export function changedPaths(update: Document | readonly Document[]): string[] {
  const paths = Array.isArray(update) ? update.flatMap(pathsOfStage) : Object.entries(update).flatMap(pathsOfOperator);
  return [...new Set(paths)].sort();
}

function pathsOfOperator([operator, changes]: [string, Document]): string[] {
  if (operator === '$setOnInsert') return [];
  const renamed = operator === '$rename' ? Object.values(changes) : [];
  return [...Object.keys(changes), ...renamed];
}

function pathsOfStage(stage: Document): string[] {
  const [operator, change] = Object.entries(stage)[0] as [string, unknown];
  if (operator === '$set' || operator === '$addFields') return Object.keys(change as Document);
  if (operator === '$unset') return [change].flat() as string[];
  return [everyPath];
}

/** Whether a change of the path changes the field, a member of it or a document that contains it. */
export const touches = (path: string, field: string): boolean =>
  path === everyPath || path === field || path.startsWith(`${field}.`) || field.startsWith(`${path}.`);
