/** The client's network address behind trusted proxies. */
export { addressGroup, createReadClientAddress, isAddressOrRange, type ReadClientAddress } from './client-address.ts';
