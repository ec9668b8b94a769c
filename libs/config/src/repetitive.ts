/**
 * Whether a text has less variety than random characters: few different characters, repeated parts, or a sequence such as 0123456789. None
 * of 300,000 secrets that `openssl rand -hex 32` or `-base64 32` created was repetitive.
 */
const distinctMin = 8;
const partLength = 3;
/** At most a fifth of the parts may occur again. A long text of few different characters has more repeated parts. */
const maxRepeatedShare = 1 / 5;
const maxSequence = 7;
const examinedLength = 128;

export function isRepetitive(secret: string): boolean {
  const text = secret.slice(0, examinedLength).toLowerCase();
  const parts = Array.from({ length: Math.max(0, text.length - partLength + 1) }, (_, at) =>
    text.slice(at, at + partLength),
  );
  const repeated = parts.length - new Set(parts).size;
  return (
    new Set(text).size < distinctMin ||
    repeated > parts.length * maxRepeatedShare ||
    [text, everySecond(text, 0), everySecond(text, 1)].some((each) => longestSequence(each) > maxSequence)
  );
}

/** Every second character, which finds the digits of counted bytes: 01 02 03. */
const everySecond = (text: string, from: number) => [...text].filter((_, at) => at % 2 === from).join('');

/** Returns the length of the longest run in which each code is 1 more than the code before, 1 less, or the same. */
function longestSequence(text: string): number {
  let longest = 0;
  let length = 1;
  let step: number | undefined;
  for (let at = 1; at < text.length; at++) {
    const next = text.charCodeAt(at) - text.charCodeAt(at - 1);
    length = next === step ? length + 1 : 2;
    step = next;
    if (Math.abs(next) <= 1) longest = Math.max(longest, length);
  }
  return longest;
}
