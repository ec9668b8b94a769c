export {
  apiKeyDigest,
  type KeyEnvironment,
  keyTags,
  newApiKey,
  type ParsedApiKey,
  parseApiKey,
  redactApiKeys,
} from './api-key.ts';
export { deriveId, type IdPrefix, idPrefixes, newId, newTraceparent } from './id.ts';
