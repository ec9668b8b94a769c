import { Outlet } from 'react-router';
import { requireSession } from '../session.ts';
import type { Route } from './+types/person';

export const middleware: Route.MiddlewareFunction[] = [requireSession];

/** Its loader makes the middleware run for every navigation to a page below. */
export const loader = () => null;

export default function PersonLayout() {
  return <Outlet />;
}
