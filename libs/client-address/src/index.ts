/** The client's network address behind trusted proxies. */
export { addressGroup, createReadClientAddress, isAddressRange, type ReadClientAddress } from './client-address.ts';
