import { EncodedJson, JsonOutput } from './json-output.ts';
import type { SelectedField } from './select-fields.ts';
import { absentOf, type Selection, selectionOf } from './selection.ts';
import { StoredJson } from './stored-json.ts';
import { Work } from './work.ts';

/**
 * Encodes the selected members of fields as JSON, in parts. Each store and each row of a page is a step, so that other work can run between
 * them. A store or a row that needs more than the work of one step is encoded member by member, and its lists element by element.
 *
 * - Bound of a step: its work, or one name or one stored value that is longer.
 * - A member is missing or null although the schema requires it -> throws, and the request fails unbilled.
 * - The answer is too large -> 400, before anything is billed.
 */
export function* encodeData(
  fields: readonly { selected: SelectedField; value: unknown }[],
  work = new Work(),
  output = new JsonOutput(),
): Generator<void, readonly Buffer[]> {
  output.add('{');
  for (const [index, { selected, value }] of fields.entries()) {
    output.node = selected.node;
    output.add(`${separator(index)}${JSON.stringify(selected.key)}:`);
    if (value instanceof EncodedJson) output.addParts(value.parts);
    else yield* encodeValue({ work, output }, selected.fields && selectionOf(selected.fields), value);
    yield;
  }
  output.add('}');
  return output.end();
}

interface Target {
  work: Work;
  output: JsonOutput;
}

/** Encodes a value. A list of objects and a value of a field of Query are several steps. */
function* encodeValue(target: Target, selection: Selection | undefined, value: unknown): Generator<void, void> {
  const { output } = target;
  if (!selection || isNothing(value)) output.add(JSON.stringify(value ?? null));
  else if (Array.isArray(value)) {
    output.add('[');
    for (const [index, each] of value.entries()) {
      output.add(separator(index));
      if (encodeInOneStep(target, selection, each)) yield;
      else yield* encodeInSteps(target, selection, each);
    }
    output.add(']');
  } else yield* encodeMembers(target, selection, value);
  yield;
}

/** Returns false, and writes nothing, if the value needs more than the work of one step. */
function encodeInOneStep({ work, output }: Target, selection: Selection, value: unknown): boolean {
  const json = work.attempt(() => jsonOf(selection, value, work));
  if (json === undefined) return false;
  output.add(json);
  return true;
}

function* encodeInSteps(target: Target, selection: Selection, value: unknown): Generator<void, void> {
  yield;
  if (value instanceof StoredJson) yield* value.selectInSteps(selection, target);
  else yield* encodeMembers(target, selection, value);
}

function* encodeMembers(target: Target, selection: Selection, value: unknown): Generator<void, void> {
  const { output } = target;
  output.add('{');
  for (const [index, member] of selection.members.entries()) {
    output.add(separator(index) + member.start);
    const inner = (value as Record<string, unknown>)[member.name];
    if (member.typeName || isNothing(inner)) output.add(member.typeName ?? absentOf(member));
    else if (!member.inner || Array.isArray(inner)) yield* encodeValue(target, member.inner, inner);
    else if (!encodeInOneStep(target, member.inner, inner)) yield* encodeInSteps(target, member.inner, inner);
    yield;
  }
  output.add('}');
}

function jsonOf(selection: Selection | undefined, value: unknown, work: Work): string {
  if (!selection) {
    const json = JSON.stringify(value);
    work.add(json.length);
    return json;
  }
  if (isNothing(value)) return 'null';
  if (value instanceof StoredJson) return value.select(selection, work);
  if (Array.isArray(value)) return `[${value.map((each) => jsonOf(selection, each, work)).join(',')}]`;
  work.add(selection.length);
  const members = selection.members.map((member) => {
    const inner = (value as Record<string, unknown>)[member.name];
    return (
      member.start + (member.typeName ?? (isNothing(inner) ? absentOf(member) : jsonOf(member.inner, inner, work)))
    );
  });
  return `{${members.join(',')}}`;
}

const separator = (index: number) => (index === 0 ? '' : ',');
const isNothing = (value: unknown): value is null | undefined => value === null || value === undefined;
