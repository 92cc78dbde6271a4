import type { AppFunction, FileContent } from '@onward/catalog'
import { type AxiosInstance, failureOf, isUrl, type Reach, refuseProblems, type Share, urlProblem } from '@onward/runtime'
import { tooMuchInFlight } from '../admit.ts'
import { MAX_BODY_BYTES } from './execute.ts'

export type Files = Readonly<Record<string, FileContent>>
type Source = {
  readonly http: AxiosInstance
  readonly reach: Reach
  /** The share of memory in which the files count. */
  readonly memory: Share
}
/** Where a file is loaded from, and for which argument. */
type Loading = Source & { readonly name: string; readonly deadline: number }
type FileArgument = { readonly url?: string; readonly base64?: string; readonly name?: string; readonly content_type?: string }

/** Time limit for loading all files of a call, including redirects. */
const TIMEOUT_MS = 20_000
const MAX_REDIRECTS = 3

/**
 * Loads the arguments that are files: decodes base64, or downloads from a URL without any of the user's credentials. Throws a Refusal
 * (400) that names the argument when a file cannot be loaded within 20 s, or 429 `too_much_in_flight`. Nothing has been sent to the app at
 * that point.
 */
export async function loadFiles(source: Source, fn: AppFunction, args: Readonly<Record<string, unknown>>): Promise<Files> {
  const deadline = Date.now() + TIMEOUT_MS
  const names = fn.files.filter((name) => args[name] !== undefined)
  const loaded = await Promise.all(
    names.map(async (name) => [name, await load({ ...source, name, deadline }, args[name] as FileArgument)] as const),
  )
  refuseProblems(loaded.flatMap(([, file]) => (typeof file === 'string' ? [file] : [])))
  return Object.fromEntries(loaded) as Files
}

/** Returns the file, or a text that says what is wrong. */
async function load(loading: Loading, file: FileArgument): Promise<FileContent | string> {
  const { url, base64 } = file
  if (url !== undefined && base64 === undefined) return await download(loading, file, url, MAX_REDIRECTS)
  if (base64 !== undefined && url === undefined) return decode(loading.name, file, base64)
  return `${loading.name}: must have either url or base64`
}

/** Follows redirects, because links to shared files often redirect. Each URL must pass the same checks. */
async function download(loading: Loading, file: FileArgument, url: string, redirects: number): Promise<FileContent | string> {
  const { http, reach, memory, name, deadline } = loading
  const problem = urlProblem(url, reach)
  if (problem !== undefined) return `${name}.url: ${problem}`
  try {
    const { status, data, headers } = await http.get<Buffer>(url, {
      timeout: Math.max(1, deadline - Date.now()),
      maxContentLength: MAX_BODY_BYTES,
      headers: { Accept: '*/*' },
      memory: () => memory,
    })
    const location = String(headers.location ?? '')
    if (status >= 300 && status <= 399 && redirects > 0 && isUrl(location, url)) {
      return await download(loading, file, new URL(location, url).href, redirects - 1)
    }
    if (status < 200 || status > 299) return `${name}.url: answered ${status}`
    const contentType = file.content_type ?? (String(headers['content-type'] ?? '') || 'application/octet-stream')
    return { name: file.name ?? nameIn(url), contentType, bytes: data }
  } catch (err) {
    const failure = failureOf(err)
    if (failure === undefined) throw err
    if (failure.kind === 'no_room') throw tooMuchInFlight()
    return failure.kind === 'too_large' ? `${name}.url: is larger than ${MAX_BODY_BYTES} bytes` : `${name}.url: could not be fetched`
  }
}

function decode(name: string, file: FileArgument, base64: string): FileContent | string {
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(base64)) return `${name}.base64: is not base64`
  const bytes = Buffer.from(base64, 'base64')
  return { name: file.name ?? name, contentType: file.content_type ?? 'application/octet-stream', bytes }
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
