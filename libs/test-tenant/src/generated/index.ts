/** The generator of stores. The demo of `npm start` generates its stores with it, too. It does not load the vocabulary. */
export { observationOf } from '../observed-store.ts';
export { generatedStore } from './generated-store.ts';
