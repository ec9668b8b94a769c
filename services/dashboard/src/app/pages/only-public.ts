import { data, redirectDocument } from 'react-router';
import { publicPathOf } from '../domain/public-path.ts';
import type { Route } from './+types/only-public';
import { contextOf } from './server.ts';

/**
 * Prevents loaders of a public page from running for a single reader. A public page is rendered for everybody, under its one address.
 *
 * The router matches more spellings of a path than a page has addresses, and the client's router requests only data. Both are redirected to
 * the page as a separate document, or get 404.
 */
export const middleware: Route.MiddlewareFunction[] = [
  ({ context }, next) => {
    const { nonce, path, siteUrl } = contextOf(context);
    if (nonce === undefined) return next();
    const page = publicPathOf(path);
    if (!page) throw data({}, { status: 404 });
    throw redirectDocument(siteUrl + page.address);
  },
];

/** With this loader, the middleware runs for every navigation to a page below. */
export const loader = () => null;
