export { apiKeyDigest, type KeyEnvironment, keyTags, newApiKey, type ParsedApiKey, parseApiKey } from './api-key.ts';
export { deriveId, type IdPrefix, idPrefixes, newId, newTraceparent } from './id.ts';
