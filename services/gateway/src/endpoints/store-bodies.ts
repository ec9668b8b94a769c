import { Buffer } from 'node:buffer';
import type { EnrichResult } from '@shopscope/enrich';

/**
 * Response bodies that contain store bodies. Store bodies are copied as the bytes that profiles stores, without parsing.
 * One store therefore has the same bytes in every response.
 */
export interface EnrichResponse {
  requestId: string;
  billed: { lookupCached: number; lookupLive: number };
  results: readonly EnrichResult[];
}

const storePrefix = Buffer.from('{"match":"matched","store":');
const closingBrace = Buffer.from('}');
const nothing = Buffer.from('null');

export function storeResponseBody(store: Buffer): Buffer {
  return Buffer.concat([storePrefix, store, closingBrace]);
}

/** A result, whose reason may be one of jobs. */
export type ResultMembers = Omit<EnrichResult, 'reason'> & { reason: string | null };

/** Returns the JSON of a result up to its store. */
function resultStart(result: ResultMembers): string {
  const reason = result.reason === null ? 'null' : `"${result.reason}"`;
  const job = result.scanJobId === undefined ? 'null' : `"${result.scanJobId}"`;
  const requested = result.scanJobId !== undefined;
  return `{"input":${JSON.stringify(result.input)},"match":"${result.match}","reason":${reason},"scan_requested":${requested},"scan_job_id":${job},"store":`;
}

export function enrichResponseBody({ requestId, billed, results }: EnrichResponse): Buffer {
  const parts: Buffer[] = [];
  let text = `{"request_id":${JSON.stringify(requestId)},"billed":{"lookup_cached":${billed.lookupCached},"lookup_live":${billed.lookupLive}},"results":[`;
  for (const [index, result] of results.entries()) {
    text += `${index === 0 ? '' : ','}${resultStart(result)}`;
    if (result.store) {
      parts.push(Buffer.from(text), result.store);
      text = '}';
    } else text += 'null}';
  }
  parts.push(Buffer.from(`${text}]}`));
  return Buffer.concat(parts);
}

/** Returns the JSON of one result, with further members before those of every result. */
export function resultBody(result: ResultMembers, more: Readonly<Record<string, string | null>>): Buffer {
  const start = Buffer.from(`${JSON.stringify(more).slice(0, -1)},${resultStart(result).slice(1)}`);
  return Buffer.concat([start, result.store ?? nothing, closingBrace]);
}
