export { type Imported, type ImportOptions, importOpenApi, importOpenApiText } from './import-openapi.ts'
export { type ImportedParameters, importParameters } from './import-parameters.ts'
export { OptionError } from './option-error.ts'
export type { ImportReport } from './report.ts'
