import { createContext } from 'react-router';
import type { RequestContext } from '../inbound/request-context.ts';

/** Set by the server for every request. entry.server.tsx exports it, so that server and bundle share one object. */
export const requestContext = createContext<RequestContext>();
