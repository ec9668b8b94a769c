/** The words of a list that stands in lines. */
export const words = (list: string): readonly string[] => list.trim().split(/\s+/);
