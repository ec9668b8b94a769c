/** Servers that know each service, for `npm start` and tests. */
export { principals, type SecuredServers, startSecuredServers } from './secured-servers.ts';
