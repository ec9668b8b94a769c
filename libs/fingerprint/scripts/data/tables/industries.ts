import { z } from 'zod';
import { language } from '../marks.ts';
import { duplicates, type Table } from '../table.ts';
import { slug } from './technologies.ts';

/** Words with commas between them. */
const words = z.string().transform((text, context) => {
  const list = text.split(',').map((word) => word.trim());
  if (list.includes('')) context.addIssue({ code: 'custom', message: 'there is nothing between two commas' });
  return list;
});

const data = z.strictObject({
  industries: z.array(
    z.strictObject({
      slug,
      category: z.string(),
      spareParts: z.literal(true).exactOptional(),
      strong: words,
      weak: words,
    }),
  ),
  neutral: words,
  spareParts: words,
  carMakes: words,
});

type Data = z.infer<typeof data>;

export const industries: Table<Data> = {
  source: 'industries.yaml',
  output: 'industries',
  schema: data,
  check: ({ industries }) =>
    duplicates(industries, 'slug', ({ slug }) => [slug]).map(({ path, message }) => ({
      path: ['industries', ...path],
      message,
    })),
  compile: ({ industries, neutral, spareParts, carMakes }) => {
    const ofCars = spareParts.flatMap((part) => carMakes.flatMap((make) => [`${part} ${make}`, `${make} ${part}`]));
    const compiled = industries.map(({ slug, category, spareParts, strong, weak }) => {
      return { slug, category, strong: spareParts ? [...ofCars, ...strong] : strong, weak };
    });
    return { industries: compiled, neutral };
  },
};

const languageData = z.strictObject({
  words: z.array(z.strictObject({ languages: z.array(language).min(1), words: z.record(slug, words) })),
  noGoods: z.record(language, words),
  sameWords: z.record(language, language),
});

export const industryLanguages: Table<z.infer<typeof languageData>> = {
  source: 'industry-languages.yaml',
  output: 'industry-languages',
  schema: languageData,
};
