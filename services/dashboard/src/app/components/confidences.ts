/** The choices of the least confidence of a technology or signal. */
export const leastConfidences = [
  ['', 'Any'],
  ['medium', 'Medium or high'],
  ['high', 'High'],
] as const;
