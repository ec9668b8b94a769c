import { data, redirectDocument } from 'react-router';
import { publicPathOf } from '../domain/public-path.ts';
import type { Route } from './+types/only-public';
import { contextOf } from './server.ts';

/**
 * Runs no loader of a public page for anybody in particular: such a page is rendered for everybody, under its one address.
 *
 * The router matches more ways to write a path than a page has addresses, and the client's router asks for data alone. Both
 * lead to the page as a document of its own, or to 404.
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

/** Its loader makes the middleware run for every navigation to a page below. */
export const loader = () => null;
