import { type GraphQLResolveInfo, getArgumentValues } from 'graphql';
import { bounds } from './bounds.ts';
import { refusedAt, refusingInvalid } from './document-error.ts';
import { EncodedJson, JsonOutput } from './json-output.ts';
import type { Plan } from './plan-document.ts';
import { schema } from './schema.ts';
import type { SelectedField } from './select-fields.ts';
import { stepCharacters, type Work } from './work.ts';

const tooManyFields = `The introspection must return at most ${bounds.introspectedFields.toLocaleString('en-US')} fields`;
/** To resolve a field takes about as long as to write so many characters. */
const fieldCharacters = 256;

/** The answers of the fields that introspect the schema. */
export type Introspection = ReadonlyMap<SelectedField, EncodedJson>;

/**
 * Answers the introspection of a document with the resolvers of the reference library, as JSON. The bounds of depth and nodes do not apply
 * to it, so the number of fields in its answer is bounded. A step ends when it has done its work.
 */
export function* introspect({ fields, variables }: Pick<Plan, 'fields' | 'variables'>, work: Work) {
  const info = { schema } as GraphQLResolveInfo;
  const answers = new Map<SelectedField, EncodedJson>();
  let count = 0;
  let stepEnd = work.done + stepCharacters;
  let output = new JsonOutput();

  function* add(text: string): Generator<void, void> {
    output.add(text);
    work.add(text.length);
    if (work.done <= stepEnd) return;
    yield;
    stepEnd = work.done + stepCharacters;
  }
  const resolve = ({ field, node, parent }: SelectedField, source: unknown): unknown => {
    if (++count > bounds.introspectedFields) throw refusedAt(node, tooManyFields);
    work.add(fieldCharacters);
    if (field.name === '__typename') return parent.name;
    const args = refusingInvalid(() => getArgumentValues(field, node, variables));
    return field.resolve ? field.resolve(source, args, undefined, info) : undefined;
  };
  function* addMembers(selected: readonly SelectedField[], value: unknown): Generator<void, void> {
    if (value === null || value === undefined) yield* add('null');
    else if (Array.isArray(value)) {
      yield* add('[');
      for (const [index, each] of value.entries()) {
        if (index > 0) yield* add(',');
        yield* addMembers(selected, each);
      }
      yield* add(']');
    } else {
      yield* add('{');
      for (const [index, field] of selected.entries()) {
        yield* add(`${index === 0 ? '' : ','}${JSON.stringify(field.key)}:`);
        yield* addField(field, value);
      }
      yield* add('}');
    }
  }
  function* addField(selected: SelectedField, source: unknown): Generator<void, void> {
    const value = resolve(selected, source);
    if (selected.fields) yield* addMembers(selected.fields, value);
    else yield* add(JSON.stringify(value ?? null));
  }

  for (const { selected, prepared } of fields) {
    if (prepared) continue;
    output = new JsonOutput();
    output.node = selected.node;
    yield* addField(selected, undefined);
    answers.set(selected, new EncodedJson(output.end()));
    yield;
  }
  return answers as Introspection;
}
