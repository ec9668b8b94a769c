import { AppError } from '@shopscope/errors';
import type { Request, RequestHandler, Response } from 'express';
import { canonicalHost, splitAbsoluteTarget } from '../domain/host.ts';
import { parseTarget, publicPathOf } from '../domain/public-path.ts';
import type { SendFailure } from './send-failure.ts';

/** The public bases of the listener. They may be the same. */
export interface OwnAddresses {
  dashboardUrl: string;
  siteUrl: string;
}

/**
 * Refuses requests to another host, and converts the targets of all others to origin form. Otherwise a page of another site could bind its
 * own name to this server, and its script could read every response (DNS rebinding).
 *
 * - The Host, or the target in absolute form, names none of the public addresses, or the two differ -> 421 with a link.
 * - No Host, several of them, or an invalid one -> 400, as RFC 9112 (3.2) requires. Only an HTTP/1.0 request without Host gets 421.
 * - Another form of the target (`*`, an authority, another scheme) -> 400.
 *
 * Afterwards, `response.locals.host` is the host of the request.
 */
export function requireOwnHost(addresses: OwnAddresses, sendFailure: SendFailure): RequestHandler {
  const bases = [addresses.dashboardUrl, addresses.siteUrl].map((url) => new URL(url));
  /** The host of the public address that has this name. */
  const ownHost = (text: string) => bases.find(({ host, protocol }) => canonicalHost(text, protocol) === host)?.host;

  return (request, response, next) => {
    const named = request.headers.host;
    const isOldProtocol = named === undefined && request.httpVersion === '1.0';
    const fault = isOldProtocol ? undefined : faultOf(request);
    if (fault !== undefined) return sendFailure(new AppError('invalid_request', fault), request, response);
    const absolute = splitAbsoluteTarget(request.url);
    const host = ownHost(named ?? '');
    if (host === undefined || (absolute && ownHost(absolute.authority) !== host)) {
      return sendMisdirected(request, response, { addresses, sendFailure });
    }
    response.locals.host = host;
    if (absolute) {
      request.url = absolute.rest;
      request.originalUrl = absolute.rest;
    }
    next();
  };
}

/** The reason why a request has no valid host or path; undefined if it has both. */
function faultOf({ headers, rawHeaders, url }: Request): string | undefined {
  const hosts = rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host').length;
  if (hosts !== 1) return `A request has one Host header. This one has ${hosts}.`;
  if (canonicalHost(headers.host ?? '', 'http:') === undefined) return 'The Host header has no host.';
  return url.startsWith('/') || splitAbsoluteTarget(url) ? undefined : 'The request target is not a path.';
}

/** Answers 421 to requests at the host of the public pages, if the public pages have a host of their own. */
export function requireDashboardHost(addresses: OwnAddresses, sendFailure: SendFailure): RequestHandler {
  const { host } = new URL(addresses.dashboardUrl);
  return (request, response, next) => {
    if (response.locals.host === host) next();
    else sendMisdirected(request, response, { addresses, sendFailure });
  };
}

/** Answers with a link to the right address. A redirect would send a form, or the request of another site's page, to that address. */
export function sendMisdirected(
  request: Request,
  response: Response,
  { addresses, sendFailure }: { addresses: OwnAddresses; sendFailure: SendFailure },
): void {
  const error = new AppError('invalid_request', 'This server does not answer under that name.', { status: 421 });
  sendFailure(error, request, response, rightAddress(request, addresses));
}

function rightAddress({ url, method }: Request, { dashboardUrl, siteUrl }: OwnAddresses): string {
  const target = splitAbsoluteTarget(url)?.rest ?? url;
  const page = publicPathOf(target);
  if (page) return siteUrl + page.address;
  const isReading = method === 'GET' || method === 'HEAD';
  return dashboardUrl + ((isReading && parseTarget(target)?.pathname) || '/');
}
