export { maxImportLines, readImportFile } from './domain/import-file.ts';
export { type ImportedStore, planOf } from './domain/import-plan.ts';
export type { ListName } from './domain/list-name.ts';
