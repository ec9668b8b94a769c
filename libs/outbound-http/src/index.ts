/**
 * HTTP requests to servers of others. The scanner and webhooks use the parts of this package with limits of their own.
 *
 * - A name is resolved once. All its addresses must be public and not denied, and the connection goes to a checked address. The peer
 *   address of the open socket is checked before the first byte. The proxies of the environment are not used.
 * - Test hosts are the only exception. Only a development or test environment has them.
 * - Failures have a closed list of codes. Their texts for callers name no address.
 */
export { type AddressPolicy, createAddressPolicy, isCidr } from './address-policy.ts';
export { type ClientOptions, createClient } from './client.ts';
export { type ConnectOptions, createTlsContext, type Dial, dialTcp, openConnection } from './connect.ts';
export { OutboundError, type OutboundErrorCode, publicTexts } from './errors.ts';
export { type ExchangeOptions, exchange } from './exchange.ts';
export { failureOf } from './failures.ts';
export { nameRefusalOf } from './name-policy.ts';
export { createNameResolver, isAbsent, type NameResolver, type ResolverOptions, withResolver } from './resolver.ts';
export { createRouter, type RouterOptions } from './route.ts';
export {
  createSender,
  type OutboundRequest,
  type OutboundResponse,
  type Sender,
  type SenderOptions,
} from './sender.ts';
export { maxUrlLength, type UrlProblem, urlProblemTexts } from './target-url.ts';
export { fixedTestHosts, loopbackHosts, noTestHosts, type TestHost, type TestHosts } from './test-hosts.ts';
