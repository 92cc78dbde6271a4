import { isUrl } from '@onward/catalog'
import { Unusable } from '../unusable.ts'

/**
 * The URL of the document that a reference names. `from` is the document that holds it, `root` the one that is imported: a file refers to
 * files below its own folder, a document from the web to its own origin. Throws Unusable when it leads elsewhere.
 */
export function locate(reference: string, from: string, root: string): string {
  const file = reference.replace(/#.*$/s, '')
  if (file === '') return from
  if (!isUrl(file, from)) throw new Unusable(`$ref ${file}: is no address of a document`)
  const url = new URL(file, from)
  const home = new URL('.', root)
  const inside = url.protocol === 'file:' ? isBelow(url, home) : url.origin === home.origin && /^https?:$/.test(url.protocol)
  if (!inside) {
    const where = home.protocol === 'file:' ? 'a file below the folder of the document' : `a document of ${home.host}`
    throw new Unusable(`$ref ${file}: is not ${where}`)
  }
  return url.href
}

function isBelow(url: URL, home: URL): boolean {
  // An encoded slash would be a folder of its own once it is read as a path.
  return home.protocol === 'file:' && url.pathname.startsWith(home.pathname) && !/%2f|%5c/i.test(url.pathname)
}
