import { randomBytes } from 'node:crypto';
import type { RequestHandler, Response } from 'express';

/**
 * Sets the security headers of every page.
 *
 * - Scripts and styles come only from this origin or have the nonce of this response. Nothing is loaded from another origin.
 * - Framing, plugins, base elements, and form targets of other origins are refused.
 */
export function securityHeaders(options: { https: boolean }): RequestHandler {
  return (_request, response, next) => {
    const nonce = randomBytes(16).toString('base64url');
    response.locals.nonce = nonce;
    const policy = policyOf(options, [
      `script-src 'nonce-${nonce}' 'strict-dynamic'`,
      `style-src 'self' 'nonce-${nonce}'`,
      "img-src 'self' data:",
      "font-src 'self'",
      "connect-src 'self'",
      "manifest-src 'self'",
    ]);
    response.set({
      'Content-Security-Policy': policy,
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
      'Referrer-Policy': 'same-origin',
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
      ...(options.https && { 'Strict-Transport-Security': 'max-age=31536000' }),
    });
    next();
  };
}

/**
 * Replaces the content security policy of a page by that of a public page: scripts and styles come only from files of this origin. The page
 * is therefore the same for everybody and can be cached.
 */
export function publicPolicy(options: { https: boolean }): (response: Response) => void {
  const policy = policyOf(options, ["script-src 'self'", "style-src 'self'", "img-src 'self'"]);
  return (response) => {
    response.set('Content-Security-Policy', policy);
  };
}

const policyOf = ({ https }: { https: boolean }, sources: readonly string[]): string =>
  [
    "default-src 'none'",
    ...sources,
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    ...(https ? ['upgrade-insecure-requests'] : []),
  ].join('; ');
