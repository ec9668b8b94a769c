/**
 * Cross-origin access from browsers. The public documents hold nothing that is a caller's own, so any origin may read them.
 * Routes that need a key send none of these headers: keys stay server-side, so no page in a browser has a use for them.
 */
export const publicCorsHeaders = {
  'Access-Control-Allow-Origin': '*',
  // Scripts see no other header than a few simple ones unless it is named.
  'Access-Control-Expose-Headers': 'X-Request-Id',
} as const;

/** Answer to OPTIONS on a public document. */
export const preflightHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'GET, HEAD',
  'Access-Control-Allow-Headers': 'X-Request-Id',
  // A day; some browsers keep it for less.
  'Access-Control-Max-Age': '86400',
} as const;
