/** The search for stores, without I/O: the language of callers, the document of a store, the engine's requests, and what answers show. */
export { countMembers } from './answer/count-members.ts';
export { quoteOf } from './answer/quote.ts';
export {
  type DroppedTechnology,
  type MatchedTechnology,
  type RowContext,
  type RowFacts,
  rowFactsOf,
} from './answer/row.ts';
export { rowBody, rowParts } from './answer/row-body.ts';
export {
  type Amount,
  isHiddenTotal,
  mostRows,
  type ShownCount,
  type ShownFacet,
  shownCount,
} from './answer/shown-count.ts';
export { documentOf, type SearchDocument, type VersionedDocument } from './document/document.ts';
export type { BodyTechnology, PlatformMove, RemovedTechnology, StoreBody, StoreFacts } from './document/facts.ts';
export { type IndexField, indexDefinition } from './document/index-definition.ts';
export {
  type CountRequest,
  type CountResponse,
  countRequest,
  type FacetValue,
  type RawCount,
  type RawFacet,
} from './engine/count.ts';
export { countRequests, readCounts } from './engine/count-requests.ts';
export type { FacetContext, FacetPlan } from './engine/facet-plan.ts';
export { planFacets } from './engine/facets.ts';
export type { QueryContext } from './engine/filters.ts';
export { type InMemoryResponse, type SearchRequest, searchInMemory, searchInSteps } from './engine/in-memory.ts';
export { type PageBounds, type RowsRequest, rowsRequest } from './engine/rows.ts';
export type { EngineQuery, SortValues } from './engine/types.ts';
export {
  type Cell,
  type ExportColumn,
  type ExportColumns,
  type ExportPath,
  exportColumnsOf,
  exportPaths,
  exportPresets,
  type RowJson,
} from './export/columns.ts';
export { type ExportFormat, exportBody, exportFormats } from './export/export-body.ts';
export { appliedWhere } from './language/applied-where.ts';
export { countBody, searchBody } from './language/bodies.ts';
export { facetSizes, maxFacets, maxListedStores, pageSizes } from './language/bounds.ts';
export { type Day, type DayRange, dayOf, timeOf } from './language/days.ts';
export { type FlatForm, flatForm, flatIntegers, flatLists, whereOfFlat } from './language/flat.ts';
export { type HistoryWindow, historyWindowOf } from './language/history-window.ts';
export { storeQueryOf } from './language/normalize.ts';
export { scopesOf, scopesOfFlat, unitsOfCount, unitsOfPage, unitsOfWalk } from './language/scopes-and-units.ts';
export { sentTime } from './language/sent-time.ts';
export { type Sort, sorts } from './language/values.ts';
export { createVocabulary, type SearchVocabulary, type VocabularyInput } from './language/vocabulary.ts';
export { type Where, where } from './language/where.ts';
export {
  asksForChanges,
  type DroppedClause,
  judgesAbsence,
  type MovedFilter,
  type Selected,
  type StoreFilter,
  type StoreQuery,
  type TechnologyClause,
  type ValueFilter,
} from './query.ts';
export {
  type TechnologyFigures,
  technologyFiguresOf,
  technologyFiguresRequest,
  unknownFigures,
} from './technologies/technology-figures.ts';
export {
  type CountOfEdition,
  type TechnologyNumbers,
  technologyNumbersOf,
  technologyNumbersRequest,
} from './technologies/technology-numbers.ts';
export { decodeCount } from './wire/decode-count.ts';
export { decodeQuery } from './wire/decode-query.ts';
export { encodeQuery } from './wire/encode-query.ts';
