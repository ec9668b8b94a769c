import { runsOf } from '@shopscope/testing';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { JsonOutput } from './json-output.ts';
import { type Selection, selectionOf } from './selection.ts';
import { StoredJson } from './stored-json.ts';
import { Work } from './work.ts';

/** Some of the random values fit into such a step, and others do not. */
const smallStep = 24;

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** Any string: with quotes, backslashes, brackets, and characters of two units. */
const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.stringMatching(/^["\\{}[\],:a\n]{0,8}$/));
const names = ['a', 'b', 'c', 'd', '_e1'] as const;
const { source } = fc.letrec<{ source: { [name: string]: Json }; value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, false, 0, -1.5, 1e21, 'null'),
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    tie('source'),
    fc.array(tie('source'), { maxLength: 3 }),
    fc.array(text, { maxLength: 3 }),
  ),
  source: fc.dictionary(fc.constantFrom(...names, 'not selected'), tie('value'), { maxKeys: 6, noNullPrototype: true }),
}));

interface Chosen {
  key: string;
  name: string;
  /** Undefined selects the whole value. */
  inner: readonly Chosen[] | undefined;
}

/** Choices of names with aliases, in any order, also twice. */
const { choices } = fc.letrec<{ choices: Chosen[] }>((tie) => ({
  choices: fc.uniqueArray(
    fc.record({
      key: fc.constantFrom(...names, 'alias', '__proto__'),
      name: fc.constantFrom(...names, '__typename'),
      inner: fc.option(tie('choices'), { nil: undefined, maxDepth: 2 }),
    }),
    { selector: ({ key }) => key, maxLength: 6 },
  ),
}));

/** Changes one of the choices of a value that choose all of it in its order. */
const changes: Readonly<Record<string, (list: Chosen[], at: number) => Chosen[]>> = {
  none: (list) => list,
  alias: (list, at) => list.map((each, n) => (n === at ? { ...each, key: 'alias' } : each)),
  first: (list, at) => [...list.slice(at, at + 1), ...list.toSpliced(at, 1)],
  fewer: (list, at) => list.toSpliced(at, 1),
  typeName: (list, at) => list.toSpliced(at, 0, { key: '__typename', name: '__typename', inner: undefined }),
  twice: (list, at) => [...list, ...list.slice(at, at + 1).map((each) => ({ ...each, key: 'again' }))],
};

/** Chooses all members of a value in its order, with the change in one of its objects, of which `at` is the number. */
function choicesOf(value: Json, change: string, at: { left: number }, place: number): Chosen[] | undefined {
  const [object] = Array.isArray(value) ? value : [value];
  if (typeof object !== 'object' || object === null || Array.isArray(object)) return undefined;
  const isHere = at.left-- === 0;
  const all = Object.entries(object).map(([name, member]) => {
    return { key: name, name, inner: choicesOf(member, change, at, place) };
  });
  return isHere ? changes[change]?.(all, place) : all;
}

function selectionFrom(chosen: readonly Chosen[]): Selection {
  const fieldOf = ({ key, name, inner }: Chosen): object => ({
    key,
    field: { name },
    parent: { name: 'Type' },
    isRequired: false,
    fields: inner?.map(fieldOf),
  });
  return selectionOf(chosen.map(fieldOf) as unknown as Parameters<typeof selectionOf>[0]);
}

/** The same by a parsed value. A selection of members of something else than an object is the whole value. */
function selected(selection: Selection, value: Json): string {
  if (Array.isArray(value)) return `[${value.map((each) => selected(selection, each)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = selection.members.map(({ name, start, typeName, inner }) => {
    const member = value[name] ?? null;
    return start + (typeName ?? (inner ? selected(inner, member) : JSON.stringify(member)));
  });
  return `{${members.join(',')}}`;
}

const expectSelected = (value: Json, chosen: readonly Chosen[]) => {
  const selection = selectionFrom(chosen);
  const stored = new StoredJson(JSON.stringify(value));
  expect(stored.select(selection)).toBe(selected(selection, value));
  const output = new JsonOutput();
  for (const steps = stored.selectInSteps(selection, { work: new Work(smallStep), output }); !steps.next().done; );
  expect(Buffer.concat(output.end()).toString()).toBe(selected(selection, value));
};
const runs = runsOf({ byDay: 300, atNight: 10_000 });

it('the selection of stored JSON is that of the parsed value, whatever the texts and the order of members', () => {
  fc.assert(fc.property(source, choices, expectSelected), runs);
}, 600_000);

it('the selection of all members in their order, or with one change, is that of the parsed value', () => {
  const change = fc.record({ name: fc.constantFrom(...Object.keys(changes)), object: fc.nat(4), place: fc.nat(3) });
  fc.assert(
    fc.property(source, change, (value, { name, object, place }) => {
      expectSelected(value, choicesOf(value, name, { left: object }, place) ?? []);
    }),
    runs,
  );
}, 600_000);

it('the selection of all members of listed objects is that of the parsed value, whatever their texts', () => {
  const leaf = fc.oneof(text, fc.constantFrom(null, true, -1.5, 'null', '"}', '\\'));
  const list = fc.array(fc.record({ a: leaf, b: leaf }), { maxLength: 4 });
  const inner = ['a', 'b'].map((name) => ({ key: name, name, inner: undefined }));
  fc.assert(
    fc.property(list, (value) => expectSelected({ list: value }, [{ key: 'list', name: 'list', inner }])),
    runs,
  );
}, 600_000);

it('the selection of an object that ends early fails', () => {
  const { length } = '{"a":{"b":["x"],"c":1},"d":null}';
  const all = selectionFrom(['a', 'missing'].map((name) => ({ key: name, name, inner: undefined })));
  for (let cut = 1; cut < length; cut++) {
    const stored = new StoredJson('{"a":{"b":["x"],"c":1},"d":null}'.slice(0, cut));
    expect(() => stored.select(all), `cut at ${cut}`).toThrow('ends early');
  }
});
