import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AppFile, FunctionFile } from '@onward/catalog'
import type { Schemas } from '@onward/openapi/conformance'
import { parse } from 'yaml'
import { compareOutput } from './compare-output.ts'
import { compareRequest } from './compare-request.ts'
import { findOperation } from './find-operation.ts'
import { KNOWN_FAULTS } from './known-faults.ts'
import { type Place, readVendorDocuments, type VendorDocument } from './vendor-documents.ts'

type Counts = { readonly checked: number; readonly unmatched: number; readonly outputs: number; readonly fields: number }

type Conformance = {
  /**
   * Apps with at least one vendor document. `unmatched` functions have a path that no document covers. `outputs` is how many declared outputs were
   * compared with a response of a document, `fields` how many values in them.
   */
  readonly apps: readonly ({ readonly app: string } & Counts)[]
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
    const { problems, ...counts } = checkApp(app, documents)
    if (counts.checked > 0) apps.push({ app: app.name, ...counts })
    findings.push(...problems)
  }
  return { apps, findings, documents: documents.length }
}

function checkApp(app: AppFile, documents: readonly VendorDocument[]) {
  const problems: Conformance['findings'][number][] = []
  const all = Object.entries(app.functions)
  const compared: number[] = []
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
    const { fields, problems: what } =
      'problem' in found ? { fields: null, problems: [found.problem] } : compareFunction({ ...definition, request }, found.place)
    if (fields !== null) compared.push(fields)
    const name = `${app.name}-${phrase}`
    problems.push(...what.filter((problem) => !isKnown(name, problem)).map((problem) => ({ function: name, problem })))
  }
  const fields = compared.reduce((sum, each) => sum + each, 0)
  return { checked, unmatched: all.length - checked, outputs: compared.length, fields, problems }
}

function compareFunction(fn: FunctionFile, place: Place) {
  const kept = { droppedPatterns: new Set<string>(), changes: new Set<string>() }
  const schemas = (): Schemas => ({ resolve: place.spec.resolve, maxDepth: 5, maxChoices: 200, budget: 20_000, ...kept })
  const { fields, problems } = compareOutput(fn, place, schemas())
  return { fields, problems: [...compareRequest(fn, place, schemas()), ...problems] }
}

function isKnown(name: string, problem: string): boolean {
  return KNOWN_FAULTS.some((fault) => says(fault.function, name) && says(fault.problem, problem))
}

function says(expected: string | RegExp, text: string): boolean {
  return typeof expected === 'string' ? text === expected : expected.test(text)
}
