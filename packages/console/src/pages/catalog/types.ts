import type * as contract from '@onward/contract'
import type { ResponseOf } from '@onward/contract'

export type AppItem = ResponseOf<typeof contract.listCatalog>['apps'][number]
export type AppDetail = ResponseOf<typeof contract.readCatalogApp>
export type Statistics = ResponseOf<typeof contract.readCallStatistics>
export type Preview = ResponseOf<typeof contract.previewImport>
export type Operation = Preview['operations'][number]
export type Stored = ResponseOf<typeof contract.putApp>
