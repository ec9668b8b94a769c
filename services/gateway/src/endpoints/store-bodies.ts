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

export function storeResponseBody(store: Buffer): Buffer {
  return Buffer.concat([storePrefix, store, closingBrace]);
}

/** Returns the JSON of a result up to its store. */
function resultStart(result: EnrichResult): string {
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
