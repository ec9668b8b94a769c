/**
 * CORS headers. Every origin may read the public documents, because they contain no data of a caller. Routes that require
 * a key send no CORS headers, because keys must not be used in browsers.
 */
export const publicCorsHeaders = {
  'Access-Control-Allow-Origin': '*',
  // Without this header, scripts cannot read these three headers.
  'Access-Control-Expose-Headers': 'ETag, Retry-After, X-Request-Id',
} as const;

/** The headers of the response to OPTIONS on a public document. */
export const preflightHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'GET, HEAD',
  'Access-Control-Allow-Headers': 'X-Request-Id',
  // One day. Some browsers use a shorter time.
  'Access-Control-Max-Age': '86400',
} as const;
