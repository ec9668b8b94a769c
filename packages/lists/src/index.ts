export type { Encoding } from './decode-text.ts';
export { ListError } from './list-error.ts';
export { type List, type ListOptions, type ListRow, readList } from './read-list.ts';
