import type { Migration } from '@shopscope/lifecycle';
import { profileUpdated, topicsOf } from '@shopscope/proto';

/** What this service needs in the data servers. Instances make the indexes, because a new one is also filled. */
export const migration: Migration = { topics: topicsOf(profileUpdated.live) };
