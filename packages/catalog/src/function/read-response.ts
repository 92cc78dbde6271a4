import { isDeepStrictEqual } from 'node:util'
import { isStructured, nearestNumbers } from '@onward/json'
import type { Base } from '../auth/base-url.ts'
import type { ErrorFile, RefusedFile } from '../file/app-file.ts'
import { type NextPage, NextPageProblem, type Page, type Paging } from '../paging/paging.ts'
import type { AppFunction, Credentials } from '../types.ts'
import { compilePointer } from '../values/json-pointer.ts'

/** Compiles the check whether a 2xx response contains an error; null when no response of the function does. */
export function compileError(errors: readonly (ErrorFile | undefined)[], graphql: boolean): AppFunction['isError'] {
  const checks = errors.flatMap((error) => (error === undefined ? [] : [compileCheck(error)]))
  if (graphql) checks.push(hasErrors)
  return checks.length === 0 ? null : (body) => checks.some((check) => check(body))
}

function compileCheck({ pointer, equals }: ErrorFile): (body: unknown) => boolean {
  const read = compilePointer(pointer)
  if (equals !== undefined) return (body) => nearestNumbers(read(body)) === equals
  return (body) => {
    const found = read(body)
    return Array.isArray(found) ? found.length > 0 : found !== undefined && found !== null && found !== false && found !== ''
  }
}

/**
 * Compiles the check whether an error refuses the credentials; null if the app file names no codes. A response of one of the app's other
 * `hosts` never does: it may be a file whose content another person chose.
 */
export function compileRefused(refused: RefusedFile | undefined, hosts: ReadonlySet<string>): AppFunction['isRefused'] {
  if (refused === undefined) return null
  const read = compilePointer(refused.pointer)
  const codes = new Set(refused.values.map(String))
  return (url, body) => codes.has(String(nearestNumbers(read(body)))) && !hosts.has(new URL(url).hostname)
}

type Reading = {
  /** JSON Pointer to the output. */
  readonly output: string
  /** Whether an app leaves `output` out when the list there is empty. */
  readonly optional: boolean
  readonly paging: Paging | null
  readonly graphql: boolean
  /** The address of the account's requests; null when the credentials lack a setting that it contains. */
  baseOf(account: Credentials): Base | null
}

/**
 * Compiles the function that reads responses. When `output` points at nothing, the output is the whole body, so that the caller sees the error
 * of an API that answers 200 (Slack's `ok: false`, GraphQL's `errors`).
 */
export function compileReadResponse({ output, optional, paging, graphql, baseOf }: Reading): AppFunction['readResponse'] {
  const read = compileRead(output, optional)
  return (status, body, current, headers = {}, account = {}, url) => {
    const whole = body ?? null
    if (status < 200 || status > 299 || (graphql && hasErrors(whole))) return { output: whole, cursor: paging ? null : undefined }
    const found = read(whole)
    const output = found === undefined ? whole : found
    if (paging === null) return { output, cursor: undefined }
    const items = Array.isArray(found) ? found : undefined
    const path = url === undefined ? undefined : new URL(url).pathname
    const next = nextPage(paging, { body: whole, items, headers, base: baseOf(account), path, current })
    return next instanceof NextPageProblem ? { output, cursor: null, nextPageProblem: next.problem } : { output, cursor: next }
  }
}

/** Returns the next page. A cursor that leads to itself is never followed: otherwise a caller would request the page endlessly. */
function nextPage(paging: Paging, page: Page): NextPage {
  const next = paging.next(page)
  if (next === null || page.current === null || !isDeepStrictEqual(next, page.current)) return next
  return page.items?.length === 0 ? null : new NextPageProblem('the app names the page itself as its next page')
}

/**
 * Reads an output. The item of an empty list is null. With `optional`, a list that is missing or null is empty, if the object around it is
 * there.
 */
function compileRead(output: string, optional: boolean): (body: unknown) => unknown {
  const read = compilePointer(output)
  if (output === '') return read
  const readAround = compilePointer(output.slice(0, output.lastIndexOf('/')))
  return (body) => {
    const found = read(body)
    if (found !== undefined && found !== null) return found
    const around = readAround(body)
    if (Array.isArray(around)) return around.length === 0 ? null : found
    return optional && isStructured(around) ? [] : found
  }
}

function hasErrors(body: unknown): boolean {
  const errors = typeof body === 'object' && body !== null && 'errors' in body ? body.errors : undefined
  return Array.isArray(errors) && errors.length > 0
}
