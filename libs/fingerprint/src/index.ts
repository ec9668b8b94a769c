export { decodePage } from './decode-page.ts';
export { listingResources } from './listing-resources.ts';
export { observeStore } from './observe-store.ts';
export type {
  Catalog,
  Confidence,
  DetectedPlatform,
  DetectedTechnology,
  InstallState,
  PageInput,
  Resource,
  StatusState,
  StoreObservation,
  TechnologyKind,
  VocabularyEntry,
} from './types.ts';
export { vocabulary } from './vocabulary.ts';
