export { curlOf } from './domain/request-samples.ts';
