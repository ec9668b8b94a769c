import type { OpenFile } from '../../app/outbound/gateway.ts';
import { fileResponse, streamOf } from '../../app/pages/file-response.ts';
import type { PageContext } from '../../app/pages/server.ts';

/** The response that a browser downloads. `name` has no ending. */
export function exportedFile(context: PageContext, { type, text }: OpenFile, name: string): Response {
  const [media = ''] = type.split(';');
  const ending = media === 'text/csv' ? 'csv' : 'ndjson';
  return fileResponse(streamOf(context, text), { type: media, name: `${name}.${ending}` });
}
