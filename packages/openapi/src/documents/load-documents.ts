import { readFile, realpath } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { CatalogError } from '@onward/catalog'
import { Unusable } from '../unusable.ts'
import { locate } from './locate.ts'
import { readDocument } from './read-document.ts'
import { references } from './references.ts'

/** A document with all that it refers to. Documents have URLs; `file:` for files. */
export type Documents = {
  readonly root: string
  readonly values: ReadonlyMap<string, unknown>
  /** Why a document that is referred to is not there. */
  readonly missing: ReadonlyMap<string, string>
  /** In which document an object with a `$ref` stands; one that is not here stands in the root. */
  readonly homes: WeakMap<object, string>
  readonly notes: readonly string[]
}

/** Reads a document from the web: at most `maxBytes` of it. Throws an Error whose message tells why it can't. */
export type FetchText = (url: string, maxBytes: number) => Promise<string>

const MAX_BYTES = 64 * 1024 * 1024
const MAX_DOCUMENTS = 200

/**
 * Reads the document at a URL, and those that it refers to. A further document that can't be read is told in `missing`: only the
 * operations that need it are lost. Throws a CatalogError when the document itself can't be read, or when there is too much of it.
 */
export async function loadDocuments(root: string, fetchText: FetchText): Promise<Documents> {
  const values = new Map<string, unknown>()
  const missing = new Map<string, string>()
  const homes = new WeakMap<object, string>()
  const notes: string[] = []
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
      for (const reference of references(read.value)) {
        if (url !== root) homes.set(reference, url)
        if (!reference.$ref.startsWith('#')) await noteTarget(reference.$ref, url)
      }
    } catch (error) {
      if (url === root || !(error instanceof CatalogError)) throw error
      missing.set(url, error.message)
    }
  }
  return { root, values, missing, homes, notes }

  async function noteTarget(reference: string, from: string): Promise<void> {
    try {
      waiting.add(locate(reference, from, root))
    } catch (error) {
      // It is told where an operation needs it.
      if (!(error instanceof Unusable)) throw error
    }
  }
}

/** How a document is named in messages: a file by its path, without the URL's encoding. */
export function nameOf(url: string): string {
  return url.startsWith('file:') ? fileURLToPath(url) : url
}

async function readText(url: string, root: string, left: number, fetchText: FetchText): Promise<string> {
  try {
    const text = url.startsWith('file:') ? await readFileBelow(url, root, left) : await fetchText(url, left)
    if (Buffer.byteLength(text) > left) throw new Error(`the documents have more than ${MAX_BYTES} bytes`)
    return text
  } catch (error) {
    throw new CatalogError([`${nameOf(url)}: ${reasonOf(error)}`])
  }
}

async function readFileBelow(url: string, root: string, left: number): Promise<string> {
  const path = fileURLToPath(url)
  if (url !== root) {
    // A link may lead out of the folder, which a `$ref` must not.
    const folder = await realpath(fileURLToPath(new URL('.', root)))
    if (!(await realpath(path)).startsWith(`${folder.replace(/\/$/, '')}/`)) throw new Error('is not below the folder of the document')
  }
  const bytes = await readFile(path)
  if (bytes.length > left) throw new Error(`the documents have more than ${MAX_BYTES} bytes`)
  return bytes.toString('utf8')
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  switch (code) {
    case 'ENOENT':
      return 'there is no such file'
    case 'EISDIR':
      return 'is a folder'
    case 'EACCES':
      return 'may not be read'
    default:
      return message
  }
}
