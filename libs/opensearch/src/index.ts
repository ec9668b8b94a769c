/** A client of OpenSearch with bounded requests, health per node, metrics and translated errors. */
export { type BulkFailure, type BulkResponse, bulkFailures } from './bulk.ts';
export { connectOpenSearch, type OpenSearch, type OpenSearchOptions } from './connect.ts';
export { type FailureKind, failureOf, fromOpenSearch, requireWhole } from './errors.ts';
