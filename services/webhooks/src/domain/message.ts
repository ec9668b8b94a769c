import type { WorkspaceEvent } from '@shopscope/proto';
import { dataOf } from './event-data.ts';

/** A body above this size has the ids of its event in place of the data. */
export const maxBodyBytes = 20 * 1024;
const maxIdLength = 200;

interface MessageOptions {
  environment: string;
  /** The public address of the API, without a trailing slash. */
  apiUrl: string;
}

/** Returns the JSON text that is sent for an event. It is made once, so every attempt sends the same bytes. */
export function messageBody(event: WorkspaceEvent, options: MessageOptions): string {
  const whole = textOf(event, event.data, options);
  return Buffer.byteLength(whole) <= maxBodyBytes ? whole : textOf(event, truncatedData(event, options), options);
}

function textOf(event: WorkspaceEvent, data: string, { environment }: MessageOptions): string {
  const timestamp = new Date(event.createdAtMs).toISOString();
  const tail = `"sequence":${event.sequence},"environment":${JSON.stringify(environment)}`;
  return `{"type":${JSON.stringify(event.type)},"timestamp":"${timestamp}","data":${data},${tail}}`;
}

/** Returns the text of a test message. It has no sequence. */
export function testBody(
  { type, data, at }: { type: string; data: string; at: Date },
  { environment }: Pick<MessageOptions, 'environment'>,
): string {
  const head = `"type":${JSON.stringify(type)},"timestamp":"${at.toISOString()}","test":true`;
  return `{${head},"data":${data},"environment":${JSON.stringify(environment)}}`;
}

function truncatedData(event: WorkspaceEvent, { apiUrl }: MessageOptions): string {
  const { related } = event;
  const members = Object.entries(dataOf(event) ?? {});
  const ids = members.filter(
    ([name, value]) => isIdName(name) && typeof value === 'string' && value.length <= maxIdLength,
  );
  const url = related && { related: { type: related.type, id: related.id, url: `${apiUrl}${related.path}` } };
  return JSON.stringify({ ...Object.fromEntries(ids), truncated: true, ...url });
}

const isIdName = (name: string): boolean => name === 'id' || name === 'domain' || name.endsWith('_id');
