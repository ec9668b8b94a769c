/** A list in a choice of lists. */
export interface ListName {
  id: string;
  name: string;
  store_count: number;
}
