/** Splits a list at spaces and line breaks into its words. */
export const words = (list: string): readonly string[] => list.trim().split(/\s+/);
export const wordSet = (list: string): ReadonlySet<string> => new Set(words(list));
