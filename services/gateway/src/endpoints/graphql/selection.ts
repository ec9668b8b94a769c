import type { SelectedField } from './select-fields.ts';

/** The selected members of a type, prepared for many values. */
export interface Selection {
  members: readonly Member[];
  /** The places in `members`, by the name of the member in REST. */
  placesOf: ReadonlyMap<string, readonly number[]>;
  /** The characters of an object without its values: with null or `__typename` for each member. */
  length: number;
  /** See {@link wholeObjectOf}. */
  wholeObject: RegExp | undefined;
}

export interface Member {
  /** The name of the member in REST. */
  name: string;
  /** The JSON of the key with a colon. */
  start: string;
  /** The JSON of the name with a colon. It differs from `start` if the member has an alias. */
  source: string;
  /** Whether no other member of the selection has the name. */
  isOnly: boolean;
  /** The JSON of the name of the type. Undefined unless the member is `__typename`. */
  typeName: string | undefined;
  isRequired: boolean;
  /** The type and the name, for errors. */
  place: string;
  inner: Selection | undefined;
}

export function selectionOf(fields: readonly SelectedField[]): Selection {
  const placesOf = Map.groupBy(fields.keys(), (place) => fields[place]?.field.name ?? '');
  const members = fields.map(({ key, field: { name }, parent, isRequired, fields: inner }) => ({
    name,
    start: `${JSON.stringify(key)}:`,
    source: `${JSON.stringify(name)}:`,
    isOnly: placesOf.get(name)?.length === 1,
    typeName: name === typeNameField ? JSON.stringify(parent.name) : undefined,
    isRequired,
    place: `${parent.name}.${name}`,
    inner: inner && selectionOf(inner),
  }));
  let wholeObject: RegExp | undefined | null = null;
  return {
    members,
    placesOf,
    length: members.reduce((sum, { start, typeName = 'null' }) => sum + start.length + typeName.length + 1, 2),
    get wholeObject() {
      if (wholeObject === null) wholeObject = wholeObjectOf(members);
      return wholeObject;
    },
  };
}

const storedLeaf = '(?:"[^"\\\\]*"|[^"{}\\[\\],]+)';

/**
 * Returns a sticky pattern of a stored object whose JSON is the selected JSON: it has exactly the selected members in their order, each is
 * a text without escapes, a number or a boolean, or null where the schema allows it. The pattern takes a quarter of the time of reading the
 * members one by one. Undefined if the selection has an alias, a name twice, `__typename`, or members of a member.
 */
function wholeObjectOf(members: readonly Member[]): RegExp | undefined {
  if (!members.every((each) => each.isOnly && each.start === each.source && !each.typeName && !each.inner))
    return undefined;
  const leaves = members.map(({ source, isRequired }) => `${source}${isRequired ? '(?!null)' : ''}${storedLeaf}`);
  return new RegExp(`\\{${leaves.join(',')}\\}`, 'y');
}

/** No value has this member: it is the same in all values of the type. */
export const typeNameField = '__typename';

/** Returns the JSON of a member that is missing or null. Throws if the schema requires it. */
export function absentOf({ isRequired, place }: Member): string {
  if (isRequired) throw new Error(`${place} is missing`);
  return 'null';
}
