import { resolve } from 'node:path'
import { checkConformance } from './check-conformance.ts'

// pnpm catalog:conformance <folder of OpenAPI documents> [folder of app files]
const [documents, apps = 'packages/catalog/apps'] = process.argv.slice(2)
if (documents === undefined) {
  console.error('usage: pnpm catalog:conformance <folder of OpenAPI documents> [folder of app files]')
  process.exit(2)
}
const found = await checkConformance(resolve(apps), resolve(documents))
console.table(found.apps)
for (const { function: name, problem } of found.findings) console.log(`${name}: ${problem}`)
console.log(`${found.documents} documents, ${found.findings.length} differences`)
process.exitCode = found.findings.length > 0 ? 1 : 0
