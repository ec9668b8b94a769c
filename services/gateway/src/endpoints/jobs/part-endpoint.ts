import { free } from '../../contract/operation.ts';
import { defineEndpoint } from '../define-endpoint.ts';
import { partContent, partParams } from './contract.ts';
import { partReply } from './part-reply.ts';

export const getJobPart = defineEndpoint({
  id: 'getJobPart',
  method: 'GET',
  path: '/v1/jobs/{job_id}/parts/{part}',
  tag: 'Jobs',
  access: 'key',
  scope: 'read:jobs',
  billing: free,
  summary: 'A part of an export',
  description:
    'NDJSON has one row of POST /v1/stores/search per line. CSV is RFC 4180 in UTF-8: part 1 has the header, and a text that a spreadsheet ' +
    'would take for a formula begins with an apostrophe. A part never changes. A Range of bytes answers 206, uncompressed; any other Range is ' +
    'ignored. The connection closes early if bytes are missing. Free, for 30 days after the end of the job.',
  params: partParams,
  success: {
    status: 200,
    description: 'The part.',
    schema: partContent,
    mediaType: 'application/x-ndjson',
    otherMediaType: 'text/csv',
    example: '{"domain":"shop.example","storefront_id":"sf_01kandxv3w9p4nsbq7g8e2hm5t"}\n',
    headers: ['ETag', 'Cache-Control', 'Vary', 'Content-Encoding', 'Accept-Ranges'],
    ranged: true,
  },
  errors: ['not_found_job'],
  handle: (request, deps) => partReply(deps, request),
});
