import { bounds } from './bounds.ts';
import { refusedAt } from './document-error.ts';
import type { SelectedField } from './select-fields.ts';
import { absentOf, type Selection, selectionOf } from './selection.ts';
import { StoredJson } from './stored-json.ts';

/** The text of about as many characters becomes a buffer, because a buffer of each store would cost more. */
const partLength = 32_768;

/**
 * Encodes the selected members of fields as JSON, in parts. Each store and each row of a page is a step, so that other work can run between
 * them.
 *
 * - A member is missing or null although the schema requires it -> throws, and the request fails unbilled.
 * - The answer is too large -> 400, before anything is billed.
 */
export function* encodeData(
  fields: readonly { selected: SelectedField; value: unknown }[],
): Generator<void, readonly Buffer[]> {
  const parts: Buffer[] = [];
  let bytes = 0;
  let text = '{';
  const flush = (at?: SelectedField) => {
    const part = Buffer.from(text);
    text = '';
    parts.push(part);
    bytes += part.length;
    if (bytes > bounds.responseBytes) {
      throw refusedAt(at?.node, 'The document selects more than 16 MiB; select fewer members or stores');
    }
  };
  for (const [index, { selected, value }] of fields.entries()) {
    text += `${separator(index)}${JSON.stringify(selected.key)}:`;
    const add = (more: string) => {
      text += more;
      if (text.length > partLength) flush(selected);
    };
    yield* encodeValue(selected.fields && selectionOf(selected.fields), value, add);
  }
  text += '}';
  flush(fields.at(-1)?.selected);
  return parts;
}

/** `isMember`: the value is a member of a field. It is one step, unless it is a list. */
function* encodeValue(
  selection: Selection | undefined,
  value: unknown,
  add: (text: string) => void,
  isMember = false,
): Generator<void, void> {
  if (!selection || isNothing(value)) add(JSON.stringify(value ?? null));
  else if (Array.isArray(value)) {
    add('[');
    for (const [index, each] of value.entries()) {
      add(separator(index) + jsonOf(selection, each));
      yield;
    }
    add(']');
  } else if (isMember) add(jsonOf(selection, value));
  else {
    add('{');
    for (const [index, member] of selection.members.entries()) {
      add(separator(index) + member.start);
      const inner = (value as Record<string, unknown>)[member.name];
      if (member.typeName || isNothing(inner)) add(member.typeName ?? absentOf(member));
      else yield* encodeValue(member.inner, inner, add, true);
    }
    add('}');
  }
  yield;
}

function jsonOf(selection: Selection | undefined, value: unknown): string {
  if (!selection) return JSON.stringify(value);
  if (isNothing(value)) return 'null';
  if (value instanceof StoredJson) return value.select(selection);
  if (Array.isArray(value)) return `[${value.map((each) => jsonOf(selection, each)).join(',')}]`;
  const members = selection.members.map((member) => {
    const inner = (value as Record<string, unknown>)[member.name];
    return member.start + (member.typeName ?? (isNothing(inner) ? absentOf(member) : jsonOf(member.inner, inner)));
  });
  return `{${members.join(',')}}`;
}

const separator = (index: number) => (index === 0 ? '' : ',');
const isNothing = (value: unknown): value is null | undefined => value === null || value === undefined;
