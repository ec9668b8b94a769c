export { decodeBody, decodePage } from './decode-page.ts';
export { type PageFailure, type PageFailureCode, pageFailureCodes } from './gate/page-kinds.ts';
export { listingResources } from './listing-resources.ts';
export { type FurtherPageInput, observeSite, type SiteObservation } from './observe-site.ts';
export { lookAtPage, observeStore, type PageLook } from './observe-store.ts';
export { countries } from './profile/countries.ts';
export { industrySlugs } from './profile/taxonomy.ts';
export type {
  Catalog,
  Certificate,
  Confidence,
  DetectedPlatform,
  DetectedTechnology,
  DnsKind,
  DnsRecords,
  FurtherPage,
  FurtherPageKind,
  InstallState,
  NameBasis,
  PageInput,
  Resource,
  Source,
  StatusState,
  StoreObservation,
  TechnologyKind,
  VocabularyEntry,
} from './types.ts';
export { dnsKinds, furtherPageKinds } from './types.ts';
export { presentSlug, vocabulary } from './vocabulary.ts';
