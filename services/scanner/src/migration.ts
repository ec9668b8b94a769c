import type { Migration } from '@shopscope/lifecycle';
import { observationCompleted, topicsOf } from '@shopscope/proto';

/** What this service needs in the data servers. */
export const migration: Migration = {
  topics: topicsOf(observationCompleted),
};
