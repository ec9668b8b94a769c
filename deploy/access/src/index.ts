/** Data servers with TLS and a user per service, for `npm start` and tests. */
export { principals, type SecuredServers, startSecuredServers } from './secured-servers.ts';
