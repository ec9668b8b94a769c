import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { compileTables } from './compile.ts';
import { duplicates, type Table, unsorted } from './table.ts';

interface Row {
  slug: string;
  forms: string[];
}

const table = (source: string): Table<Row[]> => ({
  source,
  output: 'rows',
  schema: z.array(z.strictObject({ slug: z.string(), forms: z.array(z.string()) })),
  check: (rows, parts) => [
    ...duplicates(rows, 'slug', ({ slug }) => [slug]),
    ...unsorted(rows, 'slug', ({ slug }) => slug, parts),
  ],
});

/** Compiles the files as one table. */
function compiled(files: Record<string, string>, source = Object.keys(files)[0] ?? '') {
  const folder = mkdtempSync(join(tmpdir(), 'data-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const { outputs, problems } = compileTables(folder, [table(source)], []);
  const messages = problems.map(({ file, line, message }) => `${file.split('/').at(-1)}:${line}: ${message}`);
  return { text: outputs[0]?.text, messages };
}

it('a valid table becomes JSON with one row per line, whatever its comments and layout', () => {
  const { text, messages } = compiled({
    'rows.yaml': "# Why.\n- slug: a\n  forms: ['\\bx', y]\n- { slug: b, forms: [] } # no form yet\n",
  });
  expect(messages).toEqual([]);
  expect(text).toBe('[\n{"slug":"a","forms":["\\\\bx","y"]},\n{"slug":"b","forms":[]}\n]\n');
});

it('each invalid member is named with its file and line, and there is no output', () => {
  const { text, messages } = compiled({
    'rows.yaml': '- slug: a\n  forms:\n    - x\n    - 5\n- slug: b\n  from: []\n',
  });
  expect(text).toBeUndefined();
  expect(messages).toEqual([
    'rows.yaml:4: forms: Invalid input: expected string, received number',
    'rows.yaml:5: forms: Invalid input: expected array, received undefined',
    'rows.yaml:6: from: Unrecognized key: "from"',
  ]);
});

it('a duplicate and a row at the wrong place are named with file and line', () => {
  const { messages } = compiled({
    'rows.yaml': '- { slug: b, forms: [] }\n- { slug: a, forms: [] }\n- { slug: b, forms: [] }\n',
  });
  expect(messages).toEqual([
    'rows.yaml:3: slug: b occurs twice',
    'rows.yaml:2: slug: a must be before b; rows are sorted',
  ]);
});

it('the files of a folder are one list, and a problem names the file that has it', () => {
  const files = { 'rows/a.yaml': '- { slug: a, forms: [] }\n', 'rows/b.yaml': '- slug: a\n  forms: []\n' };
  expect(compiled(files, 'rows').messages).toEqual(['b.yaml:1: slug: a occurs twice']);
});

it('broken YAML and a member that occurs twice are named with file and line', () => {
  expect(compiled({ 'rows.yaml': "- slug: a\n  forms: ['x]\n" }).messages[0]).toMatch(/^rows\.yaml:\d: /);
  expect(compiled({ 'rows.yaml': '- slug: a\n  slug: b\n  forms: []\n' }).messages).toEqual([
    'rows.yaml:2: Map keys must be unique',
  ]);
});
