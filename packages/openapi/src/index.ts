export { type Imported, type ImportOptions, importOpenApi } from './import-openapi.ts'
export { type ImportedParameters, importParameters } from './import-parameters.ts'
export type { ImportReport } from './report.ts'
