import { Buffer } from 'node:buffer';

/**
 * The JSON around store bodies. Bodies are spliced in as the bytes that profiles keeps; they are never parsed or
 * written again, so identical stores are identical bytes in every answer.
 */
export interface EnrichLine {
  input: string;
  match: 'matched' | 'stale' | 'no_match' | 'error';
  reason: 'not_in_corpus' | 'invalid_domain' | null;
  scanJobId: string | undefined;
  /** The store object's bytes with matched and stale. */
  store: Buffer | undefined;
}

export interface EnrichEnvelope {
  requestId: string;
  billed: { lookupCached: number; lookupLive: number };
  lines: readonly EnrichLine[];
}

const storePrefix = Buffer.from('{"match":"matched","store":');
const closingBrace = Buffer.from('}');

export function storeEnvelope(store: Buffer): Buffer {
  return Buffer.concat([storePrefix, store, closingBrace]);
}

function openLine(line: EnrichLine): string {
  const reason = line.reason === null ? 'null' : `"${line.reason}"`;
  const job = line.scanJobId === undefined ? 'null' : `"${line.scanJobId}"`;
  const requested = line.scanJobId !== undefined;
  return `{"input":${JSON.stringify(line.input)},"match":"${line.match}","reason":${reason},"scan_requested":${requested},"scan_job_id":${job},"store":`;
}

/** The whole body as one buffer. */
export function enrichEnvelope({ requestId, billed, lines }: EnrichEnvelope): Buffer {
  const parts: Buffer[] = [];
  let text = `{"request_id":${JSON.stringify(requestId)},"billed":{"lookup_cached":${billed.lookupCached},"lookup_live":${billed.lookupLive}},"results":[`;
  for (const [index, line] of lines.entries()) {
    text += `${index === 0 ? '' : ','}${openLine(line)}`;
    if (line.store) {
      parts.push(Buffer.from(text), line.store);
      text = '}';
    } else text += 'null}';
  }
  parts.push(Buffer.from(`${text}]}`));
  return Buffer.concat(parts);
}
