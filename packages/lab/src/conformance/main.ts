import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type Conformance, proofOf, summariseCatalog } from '@onward/catalog'
import { stringify } from 'yaml'
import { type CheckedApp, checkApp } from './check-conformance.ts'
import { fileOf, readSources } from './sources.ts'

// pnpm catalog:conformance <folder of vendors' documents> [--missing]
const [documents, option] = process.argv.slice(2)
if (documents === undefined) {
  console.error('usage: pnpm catalog:conformance <folder of vendors’ documents> [--missing]')
  process.exit(2)
}
const CATALOG = 'packages/catalog'
const sources = await readSources(join(CATALOG, 'sources.yaml'))

if (option === '--missing') await listMissing(documents)
else await check(documents)

/** Prints a command for each document that is not in the folder. */
async function listMissing(folder: string): Promise<void> {
  for (const [app, listed] of sources) {
    const present = await readdir(join(folder, app)).catch((): string[] => [])
    for (const document of listed.flatMap((source) => source.documents)) {
      const name = fileOf(document)
      if (!present.includes(name)) console.log(`curl --create-dirs -L -o '${join(folder, app, name)}' '${document}'`)
    }
  }
}

async function check(folder: string): Promise<void> {
  const apps: CheckedApp[] = []
  for (const [app, listed] of sources) apps.push(await checkApp(join(CATALOG, 'apps', `${app}.yaml`), listed, resolve(folder)))
  console.table(
    apps.map(({ app, functions, checked, examples, outputs, fields, explained, findings, scopes }) => {
      const counts = { app, functions, checked: Object.keys(checked).length, examples: examples.length, outputs, fields, explained }
      return { ...counts, differences: findings.length, scopes: Object.keys(scopes).length }
    }),
  )
  for (const { function: name, problem } of apps.flatMap(({ findings }) => findings)) console.log(`${name}: ${problem}`)
  const result: Conformance = {
    on: new Date().toISOString().slice(0, 10),
    documents: [...sources.values()].flat().reduce((sum, source) => sum + source.documents.length, 0),
    apps: Object.fromEntries(apps.map(({ app, ...found }) => [app, summaryOf(found)])),
  }
  await writeFile(join(CATALOG, 'conformance.yaml'), stringify(result))
  await writeReadme(proofOf(await summariseCatalog(join(CATALOG, 'apps'))))
  process.exitCode = apps.some(({ findings }) => findings.length > 0) ? 1 : 0
}

/** Writes the sentence into the README of the catalog, between two comments. */
async function writeReadme(sentence: string): Promise<void> {
  const path = join(CATALOG, 'README.md')
  const text = await readFile(path, 'utf8')
  await writeFile(path, text.replace(/(<!-- proof -->\n)[\s\S]*?(<!-- \/proof -->)/, `$1${wrap(sentence, 140)}\n$2`))
}

function wrap(text: string, width: number): string {
  return text.replace(new RegExp(`(.{1,${width}})(?: |$)`, 'g'), '$1\n').trimEnd()
}

function summaryOf({ checked, examples, outputs, fields, explained, findings }: Omit<CheckedApp, 'app'>): Conformance['apps'][string] {
  return { checked, examples, outputs, fields, explained, unexplained: findings.length }
}
