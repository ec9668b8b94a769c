import { type BulkJobResult, ResultMatch } from '@shopscope/proto';
import { resultBody } from '../store-bodies.ts';

const matches: Partial<Record<ResultMatch, 'matched' | 'stale' | 'no_match' | 'error'>> = {
  [ResultMatch.MATCHED]: 'matched',
  [ResultMatch.STALE]: 'stale',
  [ResultMatch.NO_MATCH]: 'no_match',
  [ResultMatch.ERROR]: 'error',
};

/** Returns a result of an enrichment as JSON, with the bytes of its store. */
export function resultRow(result: BulkJobResult): Buffer {
  const { domain, externalId = null, reason, scanJobId, store } = result;
  const match = matches[result.match];
  if (match === undefined) throw new Error(`the result of ${domain} has the unknown match ${result.match}`);
  const row = { input: domain, match, reason: reason === '' ? null : reason, scanJobId, store };
  return resultBody(row, { domain, external_id: externalId });
}
