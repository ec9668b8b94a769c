import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Deadline } from '@shopscope/async';
import type { Environment } from '@shopscope/environment';
import type { StoreRow } from '@shopscope/proto';
import { exportColumnsOf, type RowJson, rowBody } from '@shopscope/store-search';
import type { Origin } from '@shopscope/telemetry';
import { csvRecord } from '../../domain/csv.ts';
import { type Export, type ExportPart, maxBytesPerStep, maxRowsPerStep } from '../../domain/export.ts';
import type { Dependencies } from '../dependencies.ts';
import { savedLists } from './export-lists.ts';
import type { HeldStep } from './refuse-steps.ts';

const compress = promisify(gzip);

const maxPageRows = 200;
/** The time that is kept for the charge and the commit. A step that reads slowly has fewer rows. */
const chargeTimeMs = 5_000;

/**
 * Writes the next rows of an export as a hidden part, page by page. Memory holds one page. Pieces of earlier executions are deleted.
 *
 * - The edition has ended -> EditionEndedError.
 */
export async function writePart<E extends Environment>(
  deps: Dependencies<E>,
  { ref, step }: HeldStep<E>,
  exported: Export,
  { origin, deadline }: { origin: Origin; deadline: Deadline },
): Promise<ExportPart> {
  const { storeSearch, jobParts } = deps;
  const { query, windowFrom, editionId } = exported;
  const { leaseToken: token, number } = step;
  await jobParts.remove(ref, [number], deadline.timeoutMs());
  const lists = await savedLists(deps, ref, deadline.timeoutMs());
  const stores = { query, context: { windowFrom, lists }, workspaceId: ref.workspaceId, editionId };
  const encode = encoderOf(exported, number === 0);
  const hash = createHash('sha256');
  let after = step.position?.after ?? '';
  const part = { rows: 0, bytes: 0 };
  do {
    const limit = Math.min(maxPageRows, maxRowsPerStep - part.rows);
    const page = await storeSearch.page({ ...stores, after, limit }, origin, deadline);
    after = page.next;
    if (page.rows.length > 0) {
      const piece = encode(page.rows, part.rows === 0);
      hash.update(piece);
      const stored = { start: part.bytes, bytes: piece.length, gzip: await compress(piece) };
      await jobParts.insert(ref, number, token, stored, deadline.timeoutMs());
      part.rows += page.rows.length;
      part.bytes += piece.length;
    }
  } while (after !== '' && part.rows < maxRowsPerStep && part.bytes < maxBytesPerStep && hasTime(part.rows, deadline));
  return { ...part, token, sha256: hash.digest('hex'), next: after };
}

/** A step without a row would end the export. */
const hasTime = (rows: number, deadline: Deadline): boolean => rows === 0 || deadline.remainingMs > chargeTimeMs;

/** Returns a function that encodes the rows of a page. The file of an export begins with its header. */
function encoderOf({ format, columns }: Export, isFirstStep: boolean) {
  if (format === 'ndjson') return (rows: readonly StoreRow[]) => Buffer.concat(rows.map(lineOf));
  const all = exportColumnsOf(columns);
  const header = csvRecord(all.map((column) => column.header));
  return (rows: readonly StoreRow[], isFirstPage: boolean) => {
    const records = rows.map((row) => {
      const json: RowJson = JSON.parse(rowBody(row).toString());
      return csvRecord(all.map(({ cellOf }) => cellOf(json)));
    });
    return Buffer.from([...(isFirstStep && isFirstPage ? [header] : []), ...records].join(''));
  };
}

const newline = Buffer.from('\n');
const lineOf = (row: StoreRow): Buffer => Buffer.concat([rowBody(row), newline]);
