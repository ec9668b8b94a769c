export { readImportFile } from './domain/import-file.ts';
export { type ImportedStore, nextCall, planOf } from './domain/import-plan.ts';
