import type { Route } from './+types/person-layout';
import { requireSession } from './session.ts';

export const middleware: Route.MiddlewareFunction[] = [requireSession];

/** Its loader makes the middleware run for every navigation to a page below. */
export const loader = () => null;
