/** Demo stores on loopback. `npm start` fills its corpus with them, and end-to-end tests scan them. */
export { knownApps } from './apps.ts';
export { DemoCorpusError } from './corpus/control.ts';
export { type Corpus, corpusOf, fillCorpus, storesToLeaveUnseen, surveyCorpus } from './corpus/corpus.ts';
export { corpusWorkspaceName, type Keys, putCorpusPlan } from './corpus/workspace.ts';
export { type AppChange, DemoStore, type PlatformChange, type StoreChange } from './demo-store.ts';
export {
  generatedDomain,
  generatedNote,
  generatedStoreCount,
  importGeneratedStores,
} from './generated/generated-stores.ts';
export { importPast } from './past/past-observations.ts';
export { pasts } from './past/pasts.ts';
export { type DemoStores, type DemoStoresOptions, serveStore, startDemoStores } from './server.ts';
export { type Platform, productsOf, type StoreDefinition, type StoreState, storeStates } from './store.ts';
export { storeDefinitions } from './stores/index.ts';
export { type TestHost, type TestHosts, writeTestHosts } from './test-hosts.ts';
