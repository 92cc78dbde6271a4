import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AppFile } from '@onward/catalog'
import { parse } from 'yaml'
import { compareRequest } from './compare-request.ts'
import { findOperation } from './find-operation.ts'
import { KNOWN_FAULTS } from './known-faults.ts'
import { readVendorDocuments, type VendorDocument } from './vendor-documents.ts'

type Conformance = {
  /** Apps with at least one vendor document. `unmatched` functions have a path that no document covers. */
  readonly apps: readonly { readonly app: string; readonly checked: number; readonly unmatched: number }[]
  readonly findings: readonly { readonly function: string; readonly problem: string }[]
  readonly documents: number
}

/**
 * Compares the functions of the app files in a folder with the vendors' OpenAPI documents in another folder. Apps and documents are matched by
 * host. Throws a CatalogError for a document that cannot be read.
 */
export async function checkConformance(appFolder: string, documentFolder: string): Promise<Conformance> {
  const documents = await readVendorDocuments(documentFolder)
  const names = (await readdir(appFolder)).filter((name) => name.endsWith('.yaml')).sort()
  const apps: Conformance['apps'][number][] = []
  const findings: Conformance['findings'][number][] = []
  for (const name of names) {
    const path = join(appFolder, name)
    const app = parse(await readFile(path, 'utf8')) as AppFile
    const { checked, unmatched, problems } = checkApp(app, documents)
    if (checked > 0) apps.push({ app: app.name, checked, unmatched })
    findings.push(...problems)
  }
  return { apps, findings, documents: documents.length }
}

function checkApp(app: AppFile, documents: readonly VendorDocument[]) {
  const problems: Conformance['findings'][number][] = []
  const all = Object.entries(app.functions)
  let checked = 0
  for (const [phrase, definition] of all) {
    const found = findOperation(app, definition, documents)
    if (found === 'outside') continue
    checked += 1
    const request = {
      ...definition.request,
      headers: { ...app.headers, ...definition.request.headers },
      body_type: definition.request.body_type ?? app.body_type,
    }
    const what = 'problem' in found ? [found.problem] : compareRequest({ ...definition, request }, found.place)
    const name = `${app.name}-${phrase}`
    problems.push(...what.filter((problem) => !isKnown(name, problem)).map((problem) => ({ function: name, problem })))
  }
  return { checked, unmatched: all.length - checked, problems }
}

function isKnown(name: string, problem: string): boolean {
  return KNOWN_FAULTS.some((fault) => fault.function === name && fault.problem === problem)
}
