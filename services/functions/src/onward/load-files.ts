import type { AppFunction, FileContent, FileContents } from '@onward/catalog'
import { type AxiosInstance, failureOf, isSuccess, type Reach, refuseProblems, type Share, urlProblem } from '@onward/runtime'
import { tooMuchInFlight } from '../admit.ts'
import { MAX_BODY_BYTES } from './execute.ts'
import { MAX_REDIRECTS, redirectTarget } from './redirect.ts'

export type Files = FileContents
type Source = {
  readonly http: AxiosInstance
  readonly reach: Reach
  /** The share of memory that the files count in. */
  readonly memory: Share
}
/** How a file is loaded, and at which path in the arguments it is. `left` is how many bytes this file and those after it may have. */
type Loading = Source & { readonly name: string; readonly deadline: number; readonly left: number }
type FileArgument = { readonly url?: string; readonly base64?: string; readonly name?: string; readonly content_type?: string }

/** Time limit for loading all files of a call, including redirects. */
const TIMEOUT_MS = 20_000

/**
 * Loads the arguments that are files or lists of files: decodes base64, or downloads from a URL without any of the user's credentials. Loads
 * one file at a time, so that together they have at most MAX_BODY_BYTES. Throws a Refusal (400) that names the files that cannot be loaded
 * within 20 s, or 429 `too_much_in_flight`. Nothing has been sent to the app at that point.
 */
export async function loadFiles(source: Source, fn: AppFunction, args: Readonly<Record<string, unknown>>): Promise<Files> {
  const deadline = Date.now() + TIMEOUT_MS
  const problems: string[] = []
  const files: Record<string, FileContent | readonly FileContent[]> = {}
  let left = MAX_BODY_BYTES
  for (const name of fn.files.filter((each) => args[each] !== undefined)) {
    const argument = args[name] as FileArgument | readonly FileArgument[]
    if (isList(argument)) {
      const contents: FileContent[] = []
      for (const [index, file] of argument.entries()) contents.push(...(await loadNext(`${name}[${index}]`, file)))
      files[name] = contents
    } else for (const content of await loadNext(name, argument)) files[name] = content
  }
  refuseProblems(problems)
  return files

  async function loadNext(name: string, file: FileArgument): Promise<FileContent[]> {
    const loaded = await load({ ...source, name, deadline, left }, file)
    if (typeof loaded === 'string') {
      problems.push(loaded)
      return []
    }
    left -= loaded.bytes.length
    return [loaded]
  }
}

function isList(argument: FileArgument | readonly FileArgument[]): argument is readonly FileArgument[] {
  return Array.isArray(argument)
}

/** Returns the file, or a text that says what is wrong. */
async function load(loading: Loading, file: FileArgument): Promise<FileContent | string> {
  const { url, base64 } = file
  if (url !== undefined && base64 === undefined) {
    if (/^data:/i.test(url)) return decode(`${loading.name}.url`, loading.name, file, url)
    return await download(loading, file, url, MAX_REDIRECTS)
  }
  if (base64 !== undefined && url === undefined) return decode(`${loading.name}.base64`, loading.name, file, base64)
  return `${loading.name}: must have either url or base64`
}

/** Follows redirects, because links to shared files often redirect. Each URL must pass the same checks. */
async function download(loading: Loading, file: FileArgument, url: string, redirects: number): Promise<FileContent | string> {
  const { http, reach, memory, name, deadline, left } = loading
  const problem = urlProblem(url, reach)
  if (problem !== undefined) return `${name}.url: ${problem}`
  try {
    const { status, data, headers } = await http.get<Buffer>(url, {
      timeout: Math.max(1, deadline - Date.now()),
      maxContentLength: Math.max(0, left),
      headers: { Accept: '*/*' },
      memory: () => memory,
    })
    const target = redirects === 0 ? undefined : redirectTarget(status, headers.location, url, reach)
    if (target !== undefined) return await download(loading, file, target.href, redirects - 1)
    if (!isSuccess(status)) return `${name}.url: answered ${status}`
    const contentType = file.content_type ?? (String(headers['content-type'] ?? '') || 'application/octet-stream')
    return { name: file.name ?? nameIn(url), contentType, bytes: data }
  } catch (err) {
    const failure = failureOf(err)
    if (failure === undefined) throw err
    if (failure.kind === 'no_room') throw tooMuchInFlight()
    if (failure.kind !== 'too_large') return `${name}.url: could not be fetched`
    const all = left < MAX_BODY_BYTES ? 'with the files before it, ' : ''
    return `${name}.url: ${all}is larger than ${MAX_BODY_BYTES} bytes`
  }
}

/** Decodes base64, or a data URI, in the field `given`. The content type of a data URI counts when the argument has none. */
function decode(given: string, name: string, file: FileArgument, text: string): FileContent | string {
  const [head, type] = /^data:([^,]{0,255}?)(?:;base64)?,/i.exec(text.slice(0, 300)) ?? ['', undefined]
  if (head !== '' && !/;base64,$/i.test(head)) return `${given}: is a data URI without ;base64`
  const bytes = readBase64(text.slice(head.length))
  if (typeof bytes === 'string') return `${given}: ${bytes}`
  return { name: file.name ?? name, contentType: file.content_type ?? (type || 'application/octet-stream'), bytes }
}

/** Returns the last part of the URL's path, `file` if it is empty. */
function nameIn(url: string): string {
  const last = new URL(url).pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(last) || 'file'
  } catch {
    return last
  }
}

/**
 * Returns the bytes of base64 or base64url, with or without padding. Ignores blanks and line breaks. Returns a text that says what is wrong,
 * because `Buffer.from` stops at some invalid characters and drops the others.
 */
function readBase64(text: string): Buffer | string {
  const written = text.replace(/\s+/g, '')
  const end = written.search(/[^A-Za-z0-9+/_-]/)
  const digits = end === -1 ? written : written.slice(0, end)
  const padding = written.slice(digits.length)
  if (!/^={0,2}$/.test(padding)) {
    const stray = /^={1,2}./s.test(padding) ? 'something after its padding' : `the character ${JSON.stringify([...padding.slice(0, 2)][0])}`
    return `is not base64: it has ${stray}`
  }
  const isComplete = digits.length % 4 !== 1 && (padding === '' || written.length % 4 === 0)
  const bytes = Buffer.from(digits, 'base64')
  // Text that was cut off often leaves bits that belong to no byte.
  const tail = digits
    .slice(digits.length - (digits.length % 4))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
  if (!isComplete || Buffer.from(tail, 'base64').toString('base64url') !== tail) return 'is not base64: it is not complete'
  return bytes
}
