/** The words of a list that stands in lines. */
export const words = (list: string): readonly string[] => list.trim().split(/\s+/);
export const wordSet = (list: string): ReadonlySet<string> => new Set(words(list));
