export { plainSamplesOf, sampleLanguages, shellWord } from './domain/request-samples.ts';
