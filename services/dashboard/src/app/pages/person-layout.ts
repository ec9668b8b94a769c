import type { Route } from './+types/person-layout';
import { requireSession } from './session.ts';

export const middleware: Route.MiddlewareFunction[] = [requireSession];

/** With this loader, the middleware runs for every navigation to a page below. */
export const loader = () => null;
