import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'
import type { AppFile, FunctionFile } from './file/app-file.ts'
import { versionOf } from './values/fingerprint.ts'

/** What `pnpm catalog:conformance` wrote about the app files, by app. */
export type Conformance = {
  /** The day of the run. */
  readonly on: string
  readonly documents: number
  readonly apps: Readonly<Record<string, ConformanceOfApp>>
}

type ConformanceOfApp = {
  /** The functions that a vendor's document describes, with the fingerprint of what was compared. */
  readonly checked: Readonly<Record<string, string>>
  /** The functions that read an example response of a document. */
  readonly examples: readonly string[]
  /** How many declared outputs were compared with a response, and how many values in them. */
  readonly outputs: number
  readonly fields: number
  /** Differences that are a document's fault, and all others. */
  readonly explained: number
  readonly unexplained: number
}

/** Reads the result of the last run. Throws an Error when there is none. */
export async function readConformance(path: string): Promise<Conformance> {
  return parse(await readFile(path, 'utf8')) as Conformance
}

/** Returns a fingerprint of all parts of a function that a vendor's document can contradict. Words do not change it. */
export function fingerprintFunction({ base_url, headers, body_type }: AppFile, fn: FunctionFile): string {
  const { request, parameters, paging, response, output, scopes, clear } = fn
  return versionOf({ base_url, headers, body_type, request, paging, response, scopes, clear, ...withoutWords({ parameters, output }) })
}

function withoutWords(value: object): object {
  return JSON.parse(JSON.stringify(value, (key, item) => (key === 'description' && typeof item === 'string' ? undefined : item)))
}
