import { isUtf8 } from 'node:buffer'
import { readFile, realpath } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { CatalogError } from '@onward/catalog'
import { Unusable } from '../json.ts'
import { readDocument } from './read-document.ts'
import { findReferences, locate } from './references.ts'

/** A document and all documents that it refers to, by URL (`file:` for files). */
export type Documents = {
  readonly root: string
  readonly values: ReadonlyMap<string, unknown>
  /** The reasons why documents could not be read, by URL. */
  readonly missing: ReadonlyMap<string, string>
  /** The document that contains an object with a `$ref`. Objects that are not listed belong to the root document. */
  readonly homes: WeakMap<object, string>
  readonly notes: readonly string[]
  /** The lines of the operations in the root document, by operation key. */
  readonly lines: ReadonlyMap<string, number>
}

/** The URL of a document that is given as text. It refers to no other document, and has no origin. */
export const GIVEN_TEXT = 'document:///document'

/** Fetches at most `maxBytes` of a document. Throws an Error whose message is the reason, such as `answered 404`. */
export type FetchText = (url: string, maxBytes: number) => Promise<string>

const MAX_BYTES = 64 * 1024 * 1024
const MAX_DOCUMENTS = 200

/**
 * Reads the document at a URL and all documents that it refers to. A referenced document that cannot be read goes to `missing`, and only the
 * operations that need it are skipped. Throws a CatalogError when the root document cannot be read or the documents are too large.
 */
export async function loadDocuments(root: string, fetchText: FetchText): Promise<Documents> {
  const values = new Map<string, unknown>()
  const missing = new Map<string, string>()
  const homes = new WeakMap<object, string>()
  const notes: string[] = []
  let lines: ReadonlyMap<string, number> = new Map()
  const waiting = new Set([root])
  let left = MAX_BYTES
  for (const url of waiting) {
    if (waiting.size > MAX_DOCUMENTS) throw new CatalogError([`${nameOf(root)}: refers to more than ${MAX_DOCUMENTS} documents`])
    try {
      const text = await readText(url, root, left, fetchText)
      left -= Buffer.byteLength(text)
      const read = readDocument(text, nameOf(url))
      values.set(url, read.value)
      notes.push(...read.notes)
      if (url === root) lines = read.lines
      for (const reference of findReferences(read.value)) {
        if (url !== root) homes.set(reference, url)
        if (!reference.$ref.startsWith('#')) await noteTarget(reference.$ref, url)
      }
    } catch (err) {
      if (url === root || !(err instanceof CatalogError)) throw err
      missing.set(url, err.message)
    }
  }
  return { root, values, missing, homes, notes, lines }

  async function noteTarget(reference: string, from: string): Promise<void> {
    try {
      waiting.add(locate(reference, from, root))
    } catch (err) {
      // The operation that needs this reference reports it.
      if (!(err instanceof Unusable)) throw err
    }
  }
}

/** Returns the name of a document for messages: the path of a file, the URL, or `document` for a given text. */
export function nameOf(url: string): string {
  if (url === GIVEN_TEXT) return 'document'
  return url.startsWith('file:') ? fileURLToPath(url) : url
}

async function readText(url: string, root: string, left: number, fetchText: FetchText): Promise<string> {
  try {
    const text = url.startsWith('file:') ? await readFileBelow(url, root, left) : await fetchText(url, left)
    if (Buffer.byteLength(text) > left) throw new Error(`the documents have more than ${MAX_BYTES} bytes`)
    return text
  } catch (err) {
    throw new CatalogError([`${nameOf(url)}: ${reasonOf(err)}`])
  }
}

async function readFileBelow(url: string, root: string, left: number): Promise<string> {
  const path = fileURLToPath(url)
  if (url !== root) {
    // A symbolic link may point outside the folder; a `$ref` must not.
    const folder = await realpath(fileURLToPath(new URL('.', root)))
    if (!(await realpath(path)).startsWith(`${folder.replace(/\/$/, '')}/`)) throw new Error('is outside the folder of the document')
  }
  const bytes = await readFile(path)
  if (bytes.length > left) throw new Error(`the documents have more than ${MAX_BYTES} bytes`)
  if (!isUtf8(bytes)) throw new Error('is not valid UTF-8')
  return bytes.toString('utf8')
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  switch (code) {
    case 'ENOENT':
      return 'no such file'
    case 'EISDIR':
      return 'is a folder'
    case 'EACCES':
      return 'permission denied'
    default:
      return message
  }
}
