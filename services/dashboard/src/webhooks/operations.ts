export * as replays from './operations/replays.ts';
