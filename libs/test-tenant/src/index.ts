/**
 * The test tenant: its stores, and what requests and simulated scans of them do. Everything is derived from the domain, so that all
 * services agree without a call.
 */
export { generatedStores, isDomainOf, type RequestFault, requestFaultOf } from './domains.ts';
export { type SimulatedScan, simulatedScanOf } from './simulated-scan.ts';
