import type { IncomingHttpHeaders } from 'node:http';
import { pipeline } from 'node:stream';
import { promisify } from 'node:util';
import { createGzip, gunzip } from 'node:zlib';
import type { Deadline } from '@shopscope/async';
import { createRequestDeadline } from '@shopscope/charging';
import { ExportFormat, type ReadExportPartResponse } from '@shopscope/proto';
import type { Reply } from '../../http/reply/reply.ts';
import type { CallerRequest } from '../../keys/caller.ts';
import type { Dependencies } from '../dependencies.ts';
import { acceptedEncoding } from '../discovery/accepted-encoding.ts';
import { type ByteRange, rangeOf } from './byte-range.ts';
import { isListJob } from './job-owners.ts';
import { noSuchJob } from './jobs.ts';

const uncompress = promisify(gunzip);
const fastest = 1;

const contentTypes: Partial<Record<ExportFormat, string>> = {
  [ExportFormat.NDJSON]: 'application/x-ndjson',
  [ExportFormat.CSV]: 'text/csv; charset=utf-8',
};

type PartDependencies = Pick<Dependencies, 'subscriptions' | 'clock'>;
type PartRequest = CallerRequest & { params: { job_id: string; part: number }; headers: IncomingHttpHeaders };
type Piece = ReadExportPartResponse;

/**
 * Responds with a part of an export, piece by piece. Memory holds one piece.
 *
 * - A Range that is valid -> 206 with its bytes of the uncompressed part. Any other Range is ignored (RFC 9110, section 14.2).
 * - The client prefers gzip -> the pieces in one gzip member. Each stored piece is one member, and some clients, such as httpx, ignore all
 *   members after the first one.
 */
export async function partReply(deps: PartDependencies, request: PartRequest): Promise<Reply> {
  const { headers } = request;
  const first = await readPiece(deps, request, 0);
  const { bytes, sha256 } = partOf(first);
  const tag = `"${sha256}"`;
  const range = rangeOf(headers, { bytes, tag });
  const common = {
    'Content-Type': contentTypes[first.format] ?? 'application/octet-stream',
    'Cache-Control': 'private, no-cache',
    'Accept-Ranges': 'bytes',
    Vary: 'Authorization, Accept-Encoding',
  };
  if (!range && acceptedEncoding(headers['accept-encoding'], ['gzip']) === 'gzip') {
    const sent = { ...common, ETag: `"${sha256}-gzip"`, 'Content-Encoding': 'gzip' };
    return { status: 200, headers: sent, body: undefined, stream: (until) => compressed(deps, request, first, until) };
  }
  const wanted = range ?? { start: 0, end: bytes };
  const sent = { ...common, ETag: tag, 'Content-Length': String(wanted.end - wanted.start) };
  const stream = (until: Deadline) => uncompressed(deps, request, { first, wanted }, until);
  if (!range) return { status: 200, headers: sent, body: undefined, stream };
  const contentRange = `bytes ${range.start}-${range.end - 1}/${bytes}`;
  return { status: 206, headers: { ...sent, 'Content-Range': contentRange }, body: undefined, stream };
}

const partOf = ({ part }: Piece) => {
  if (!part) throw new Error('the response has no part');
  return part;
};

async function readPiece({ subscriptions }: PartDependencies, request: PartRequest, fromByte: number): Promise<Piece> {
  const { job_id: jobId, part } = request.params;
  if (!isListJob(jobId)) throw noSuchJob();
  const { workspaceId } = request.caller;
  return subscriptions.readExportPart({ workspaceId, jobId, part, fromByte }, request);
}

/** Yields the pieces from one on, up to a position. */
async function* piecesFrom(
  deps: PartDependencies,
  request: PartRequest,
  { first, end }: { first: Piece; end: number },
  until: Deadline,
): AsyncGenerator<Piece> {
  let piece = first;
  for (;;) {
    yield piece;
    const next = piece.pieceStart + piece.pieceBytes;
    if (next >= end) return;
    until.timeoutMs();
    piece = await readPiece(deps, { ...request, deadline: createRequestDeadline(deps.clock) }, next);
  }
}

async function* compressed(deps: PartDependencies, request: PartRequest, first: Piece, until: Deadline) {
  const wanted = { start: 0, end: partOf(first).bytes };
  const gzip = createGzip({ level: fastest });
  // An error ends the reading of `gzip`, too.
  pipeline(uncompressed(deps, request, { first, wanted }, until), gzip, () => {});
  yield* gzip;
}

async function* uncompressed(
  deps: PartDependencies,
  request: PartRequest,
  { first, wanted: { start, end } }: { first: Piece; wanted: ByteRange },
  until: Deadline,
) {
  const isInFirst = start < first.pieceStart + first.pieceBytes;
  const later = { ...request, deadline: createRequestDeadline(deps.clock) };
  const begin = isInFirst ? first : await readPiece(deps, later, start);
  for await (const { gzip, pieceStart } of piecesFrom(deps, request, { first: begin, end }, until)) {
    const content = await uncompress(gzip);
    yield content.subarray(Math.max(0, start - pieceStart), end - pieceStart);
  }
}
