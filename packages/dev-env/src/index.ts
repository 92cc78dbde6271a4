export { openParts, type Parts } from './parts/open-parts.ts'
export { makeTemplates } from './templates.ts'
