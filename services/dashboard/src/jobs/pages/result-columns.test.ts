import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import type { ResultRow } from '../domain/result-row.ts';
import { resultColumns } from './result-columns.tsx';

const openapi = new URL('../../../../../docs/openapi.json', import.meta.url);
const row = { domain: 'a.example', externalId: '', match: 'error', isScanned: false } as const;
const result = resultColumns('/stores').find(({ header }) => header === 'Result');
const wordsOf = (reason: string) => result?.cell({ ...row, reason } satisfies ResultRow);

it('the table of results says in words why a store has an error, for each reason of the contract', async () => {
  const { components } = JSON.parse(await readFile(openapi, 'utf8'));
  const { anyOf } = components.schemas.EnrichJobResult.properties.reason;
  const reasons: string[] = anyOf[0]['x-extensible-enum'];
  expect(reasons).toContain('max_units_reached');
  // No error has this reason.
  const ofErrors = reasons.filter((reason) => reason !== 'not_in_corpus');
  expect(ofErrors.filter((reason) => wordsOf(reason) === 'Error')).toEqual([]);
  expect(wordsOf('a_later_reason')).toBe('Error');
});
