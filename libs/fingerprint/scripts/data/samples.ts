import { z } from 'zod';

/**
 * Parts of a page that show a technology (`samples`), and parts that seem to show it but do not (`misses`). `samples.test.ts` observes a
 * page with each of them. The page also has a sample of the technologies that this one requires.
 */
const evidence = {
  /** Markup. A plain string stands for it. */
  html: z.string().min(1).exactOptional(),
  /** The URL of a script. */
  script: z.string().min(1).exactOptional(),
  /** The URL of a style sheet. */
  asset: z.string().min(1).exactOptional(),
  /** The code of an inline script. */
  inline: z.string().min(1).exactOptional(),
  /** The text of a comment of the markup. */
  comment: z.string().min(1).exactOptional(),
  header: z
    .record(z.string(), z.union([z.string(), z.array(z.string())], 'a text, or a list of texts'))
    .exactOptional(),
  /** Cookies in the form of `Set-Cookie`. */
  cookies: z.array(z.string().min(1)).min(1).exactOptional(),
  /** The URL of the page. */
  url: z.url().exactOptional(),
};

const written = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.preprocess(
    (value) => (typeof value === 'string' ? { html: value } : value),
    z
      .strictObject(shape)
      .refine((sample) => Object.keys(sample).some((member) => member in evidence), 'the sample shows nothing'),
  );

const miss = written(evidence);
const sample = written({
  ...evidence,
  /** The install state that the sample shows. If it is missing, the test does not compare the state. */
  state: z.enum(['active', 'configured']).exactOptional(),
});

export type Sample = z.infer<typeof sample>;

export const examples = {
  samples: z.array(sample).min(1).exactOptional(),
  misses: z.array(miss).min(1).exactOptional(),
};
