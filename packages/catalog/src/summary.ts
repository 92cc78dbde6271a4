import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'
import { listFiles } from './catalog.ts'
import { fingerprintFunction, readConformance } from './conformance.ts'
import type { AppFile, FunctionFile } from './file/app-file.ts'

/** Figures of a folder of app files and of the last comparison with vendors' documents. */
export type CatalogSummary = {
  readonly apps: number
  readonly functions: number
  readonly functions_with_output: number
  readonly functions_with_scopes: number
  /** The operations that people use most, and how many of them a function does. */
  readonly wanted_operations: number
  readonly wanted_operations_done: number
  /** Functions whose request a vendor's document describes, and that are as they were when they were compared. */
  readonly checked: number
  /** Functions that have changed since they were compared. */
  readonly changed: number
  readonly checked_apps: number
  readonly list_functions: number
  /** List functions that read an example response of a vendor's document. */
  readonly list_functions_with_example: number
  readonly documents: number
  readonly compared_on: string
  /** Differences that are a document's fault, each with a reason. */
  readonly explained: number
  readonly unexplained: number
}

/** The function that does each wanted operation of an app; null if none does. */
type Wanted = Readonly<Record<string, Readonly<Record<string, string | null>>>>

/**
 * Counts what is in the app files of a folder. Beside the folder are `conformance.yaml`, which `pnpm catalog:conformance` wrote, and
 * `wanted.yaml`. Throws for a wanted operation with a function that does not exist.
 */
export async function summariseCatalog(folder: string): Promise<CatalogSummary> {
  const { on, documents, apps: compared } = await readConformance(join(folder, '..', 'conformance.yaml'))
  const wanted = parse(await readFile(join(folder, '..', 'wanted.yaml'), 'utf8')) as Wanted
  const files = await Promise.all((await listFiles(folder)).map(async (path) => parse(await readFile(path, 'utf8')) as AppFile))
  const all = files.flatMap((app) => {
    const found = compared[app.name]
    return Object.entries(app.functions).map(([name, fn]) => {
      const known = found?.checked[name]
      const same = known !== undefined && known === fingerprintFunction(app, fn)
      return { app: app.name, fn, known: known !== undefined, same, example: same && found?.examples.includes(name) === true }
    })
  })
  const count = (test: (each: (typeof all)[number]) => boolean) => all.filter(test).length
  const isList = ({ fn }: { fn: FunctionFile }) => fn.paging !== undefined || fn.output?.type === 'array'
  const results = Object.values(compared)
  const operations = Object.entries(wanted).flatMap(([app, own]) => Object.values(own).map((name) => ({ app, name })))
  const done = operations.filter(({ name }) => name !== null)
  const missing = done.find(({ app, name }) => files.find((file) => file.name === app)?.functions[name ?? ''] === undefined)
  if (missing !== undefined) throw new Error(`wanted.yaml: there is no function ${missing.app}-${missing.name}`)
  return {
    apps: files.length,
    functions: all.length,
    functions_with_output: count(({ fn }) => fn.output !== undefined),
    functions_with_scopes: count(({ fn }) => fn.scopes !== undefined),
    wanted_operations: operations.length,
    wanted_operations_done: done.length,
    checked: count(({ same }) => same),
    changed: count(({ known, same }) => known && !same),
    checked_apps: new Set(all.filter(({ same }) => same).map(({ app }) => app)).size,
    list_functions: count(isList),
    list_functions_with_example: count((each) => isList(each) && each.example),
    documents,
    compared_on: on,
    explained: results.reduce((sum, each) => sum + each.explained, 0),
    unexplained: results.reduce((sum, each) => sum + each.unexplained, 0),
  }
}

/** Returns the sentence that says how far the catalog is proved. */
export function proofOf({
  checked,
  functions,
  checked_apps,
  apps,
  documents,
  compared_on,
  explained,
  unexplained,
}: CatalogSummary): string {
  return (
    `On ${compared_on}, checked ${checked} of ${functions} functions (${checked_apps} of ${apps} apps) against ${documents} vendors' ` +
    `documents: ${unexplained} unexplained differences, ${explained} that are the documents' fault. No function was called live.`
  )
}
