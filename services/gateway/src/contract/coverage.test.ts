import { existsSync, readFileSync } from 'node:fs';
import { errorCodes } from '@shopscope/errors';
import { describe, expect, it } from 'vitest';
import { documents } from '../../test/contract-fields.ts';
import { endpoints } from '../endpoints/endpoints.ts';
import { requestHeaders, responseHeaders } from './headers.ts';

/** Checks docs/contract-coverage.md, which lists the tests of every row of the contract. */
const root = new URL('../../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

interface Row {
  row: string;
  tests: { file: string; name: string }[];
}

const rows: Row[] = read('docs/contract-coverage.md')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| Row |'))
  .map((line) => {
    const [row = '', proofs = ''] = line.slice(2, -2).split(' | ');
    const tests = proofs.split('<br>').map((proof) => {
      const [, file = '', name = ''] = /^`([^`]+)` › (.+)$/.exec(proof) ?? [];
      return { file, name };
    });
    return { row, tests };
  });

const sources = new Map<string, string>();
function sourceOf(file: string): string {
  const source = sources.get(file) ?? (existsSync(new URL(file, root)) ? read(file) : '');
  sources.set(file, source);
  return source;
}

const hasRow = (start: string) => rows.some(({ row }) => row.startsWith(start));

describe('docs/contract-coverage.md', () => {
  it('names only tests that exist', () => {
    const missing = rows.flatMap(({ row, tests }) =>
      tests
        .filter(({ file, name }) => !/\.test\.ts$/.test(file) || name === '' || !isTitled(sourceOf(file), name))
        .map(({ file, name }) => `${row}: ${file} › ${name}`),
    );
    expect(rows.length).toBeGreaterThan(200);
    expect(missing).toEqual([]);
  });

  it('has a row for every field', () => {
    const missing = Object.entries(documents).flatMap(([document, { rows: fields }]) =>
      fields.map(([path]) => `\`${document}\` \`${path}\` `).filter((start) => !hasRow(start)),
    );
    expect(missing).toEqual([]);
  });

  it('has a row for every header, error code and served operation', () => {
    const wanted = [
      ...Object.keys(requestHeaders),
      ...Object.keys(responseHeaders),
      ...errorCodes,
      ...endpoints.map(({ id }) => id),
    ];
    expect(wanted.filter((name) => !hasRow(`\`${name}\``))).toEqual([]);
  });
});

/** True when the source contains the name in quotes, which is how a test's title is written. */
function isTitled(source: string, name: string): boolean {
  return ["'", '"', '`'].some((quote) => source.includes(`${quote}${name}${quote}`));
}
