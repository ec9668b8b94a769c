/**
 * The test tenant: its stores, and what requests and simulated scans of them do. Everything is derived from the domain, so that all
 * services agree without a call. What scans see is in `@shopscope/test-tenant/observations`, which loads the vocabulary.
 */
export { generatedStores, isDomainOf, isScannable, type RequestFault, requestFaultOf } from './domains.ts';
export { type MagicAnswers, type MagicDomain, type Match, magicAnswersOf, magicDomains } from './magic-domains.ts';
export { type SimulatedScan, simulatedScanOf } from './simulated-scan.ts';
