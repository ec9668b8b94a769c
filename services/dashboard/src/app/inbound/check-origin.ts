import type { RequestHandler } from 'express';

/**
 * Refuses requests from another site that change something.
 *
 * - Every browser sends Origin with such requests. Its value must be the dashboard's origin.
 * - Without Origin, Sec-Fetch-Site must be `same-origin`.
 */
export function checkOrigin(dashboardUrl: string): RequestHandler {
  const own = new URL(dashboardUrl).origin;
  return (request, response, next) => {
    if (request.method === 'GET' || request.method === 'HEAD') return next();
    const origin = request.get('origin');
    const isOwn = origin === undefined ? request.get('sec-fetch-site') === 'same-origin' : origin === own;
    if (isOwn) return next();
    response.status(403).type('text/plain').send('The form was sent from another site. Nothing was changed.\n');
  };
}
