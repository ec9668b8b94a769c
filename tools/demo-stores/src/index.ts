/** Demo stores served by name on loopback: what `npm start` fills its corpus with, and what end-to-end tests scan. */
export { knownApps } from './apps.ts';
export { type Corpus, corpusOf, fillCorpus, leftOut, surveyCorpus } from './corpus/corpus.ts';
export { DemoCorpusError } from './corpus/error.ts';
export { corpusWorkspaceName, type Keys, putCorpusPlan } from './corpus/workspace.ts';
export type { AppChange, PlatformChange, StoreChange } from './demo-store.ts';
export { type ScanHost, type ScanHosts, writeScanHosts } from './scan-hosts.ts';
export { type DemoStores, type DemoStoresOptions, startDemoStores } from './server.ts';
export { type Platform, productsOf, type StoreDefinition, type StoreState, storeStates } from './store.ts';
export { storeDefinitions } from './stores/index.ts';
