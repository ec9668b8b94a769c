export { readUnseenStore, type UnseenStore } from './operations/unseen-store.ts';
