/** Data servers with TLS and a user per service, for `npm start` and tests. */
export { principals, startSecuredServers } from './secured-servers.ts';
