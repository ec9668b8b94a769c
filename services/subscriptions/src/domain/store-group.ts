import type { Environment, Handles } from '@shopscope/environment';
import { parseText } from '@shopscope/text';

/** A named group of stores of a workspace: a list or a watchlist. */
export interface StoreGroup {
  id: string;
  workspaceId: string;
  name: string;
  storeCount: number;
  createdAt: Date;
  /** The latest change of the group or of its stores. */
  updatedAt: Date;
}

/** A group of one workspace. `environment` keeps the ids of another environment away. */
export interface GroupRef<E extends Environment> extends Handles<E> {
  workspaceId: string;
  id: string;
}

/** Parses the name of a group. Web addresses are accepted, because groups are often named after a site. */
export const parseName = (name: string): string =>
  parseText('name', name, { noun: 'name', maxLength: 200, mayHaveAddresses: true });
