import type { Document } from 'mongodb';

type Condition = 'equals' | 'in' | 'other';

/** The conditions of a filter that decide about its shards. Values are left out. */
export interface Conditions {
  /** The conditions that each document meets, by field. */
  fields: ReadonlyMap<string, Condition>;
  /** Of each `$or`: its branches. */
  alternatives: readonly (readonly Conditions[])[];
}

const strength: Record<Condition, number> = { other: 0, in: 1, equals: 2 };

export function conditionsOf(filter: Document): Conditions {
  const fields = new Map<string, Condition>();
  const alternatives: (readonly Conditions[])[] = [];
  const add = (field: string, condition: Condition) => {
    if (strength[condition] >= strength[fields.get(field) ?? 'other']) fields.set(field, condition);
  };
  for (const [field, value] of Object.entries(filter)) {
    if (field === '$comment') continue;
    if (field === '$and') {
      for (const part of value as Document[]) {
        const inner = conditionsOf(part);
        for (const [name, condition] of inner.fields) add(name, condition);
        alternatives.push(...inner.alternatives);
      }
    } else if (field === '$or') alternatives.push((value as Document[]).map(conditionsOf));
    else add(field, conditionOf(value));
  }
  return { fields, alternatives };
}

/** Whether mongos can compute the value of the field: only from `{ field: value }` or `{ field: { $eq: value } }`. */
const isValue = (value: unknown) => !(value instanceof RegExp) && !Array.isArray(value) && value !== undefined;

function conditionOf(value: unknown): Condition {
  if (!isOperators(value)) return isValue(value) ? 'equals' : 'other';
  if ('$eq' in value) return isValue(value.$eq) ? 'equals' : 'other';
  return Array.isArray(value.$in) && value.$in.every(isValue) ? 'in' : 'other';
}

function isOperators(value: unknown): value is Document {
  if (typeof value !== 'object' || value === null || '_bsontype' in value || value instanceof Date) return false;
  for (const name in value) return name.startsWith('$');
  return false;
}

/** Whether the filter has the exact value of each field. */
export const equalsAll = ({ fields }: Conditions, names: readonly string[]): boolean =>
  names.every((name) => fields.get(name) === 'equals');

/** Whether each document that the filter matches has one of some given values in the field. */
export const limits = ({ fields, alternatives }: Conditions, name: string): boolean =>
  (fields.get(name) ?? 'other') !== 'other' ||
  alternatives.some((branches) => branches.every((branch) => limits(branch, name)));

/** The fields of the filter, sorted, for messages and declarations. */
export function fieldsOf(conditions: Conditions): string[] {
  const names = new Set(conditions.fields.keys());
  for (const branch of conditions.alternatives.flat()) for (const name of fieldsOf(branch)) names.add(name);
  return [...names].sort();
}

const marks: Record<Condition, string> = { equals: '=', in: '∈', other: '~' };

/** A text that is equal for filters of equal conditions. */
export function conditionsText({ fields, alternatives }: Conditions): string {
  const parts = [...fields].map(([name, condition]) => `${name}${marks[condition]}`).sort();
  const branches = alternatives.map((of) => `(${[...new Set(of.map(conditionsText))].sort().join(' or ')})`);
  return [...parts, ...branches].join(' ') || '*';
}
