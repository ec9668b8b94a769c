import { exportBody } from '@shopscope/store-search';
import { named } from '../../contract/schemas.ts';

export const storeExportRequest = named('StoreExportRequest', exportBody);
