import { invalidField } from '@shopscope/errors';
import * as proto from '@shopscope/proto';
import {
  decodeQuery,
  type ExportColumns,
  type ExportFormat,
  type ExportPath,
  exportPaths,
  exportPresets,
} from '@shopscope/store-search';
import type { NumberedPart } from '../../operations/jobs/list-job-results.ts';
import type { readExportPart } from '../../operations/jobs/read-export-part.ts';
import type { NewExport } from '../../operations/jobs/start-export.ts';

const formats: Record<ExportFormat, proto.ExportFormat> = {
  ndjson: proto.ExportFormat.NDJSON,
  csv: proto.ExportFormat.CSV,
};

export function decodeExport(request: proto.StartExportRequest): NewExport {
  const format = (Object.keys(formats) as ExportFormat[]).find((name) => formats[name] === request.format);
  if (!format) throw invalidField('format', 'must be a known format');
  const {
    keyId,
    query,
    windowFrom,
    columns,
    maxRows,
    maxLookupCached = null,
    maxHistoryQuery = null,
    requestToken,
  } = request;
  return {
    keyId,
    query: decodeQuery(query),
    windowFrom,
    format,
    columns: decodeColumns(columns),
    maxRows,
    maxUnits: { lookupCached: maxLookupCached, historyQuery: maxHistoryQuery },
    requestToken,
  };
}

function decodeColumns(columns: readonly string[]): ExportColumns {
  if (columns.length === 0) return 'default';
  const preset = columns.length === 1 ? exportPresets.find((name) => name === columns[0]) : undefined;
  if (preset) return preset;
  const isPath = (text: string): text is ExportPath => exportPaths.some((path) => path === text);
  if (!columns.every(isPath)) throw invalidField('columns', 'must be a preset or paths of a row');
  return columns;
}

export const encodePart = ({ part, rows, bytes, sha256 }: NumberedPart): proto.ExportPart => ({
  part,
  rows,
  bytes,
  sha256,
});

type ReadPiece = Awaited<ReturnType<typeof readExportPart>>;

export const encodePiece = ({ part, format, piece }: ReadPiece): proto.ReadExportPartResponse => ({
  part: encodePart(part),
  format: formats[format],
  pieceStart: piece.start,
  pieceBytes: piece.bytes,
  gzip: piece.gzip,
});
