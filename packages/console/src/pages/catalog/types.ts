import type * as contract from '@onward/contract'
import type { Answer } from '@onward/contract'

export type AppItem = Answer<typeof contract.listCatalog>['apps'][number]
export type AppDetail = Answer<typeof contract.readCatalogApp>
export type Statistics = Answer<typeof contract.readCallStatistics>
export type Preview = Answer<typeof contract.previewImport>
export type Operation = Preview['operations'][number]
export type Stored = Answer<typeof contract.putApp>
