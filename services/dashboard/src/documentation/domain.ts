export { plainSamplesOf, sampleLanguages } from './domain/request-samples.ts';
